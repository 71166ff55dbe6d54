import { expect } from 'chai';
import { jwtVerify } from 'jose';
import type { ProviderDefinition, SignedJwtTemplate } from '#contract';
import { type ModeInput, TokenFailure } from '../../../../core/auth-modes/auth-mode.ts';
import { jwt } from '../../../../core/auth-modes/jwt/index.ts';
import type { StoredJwt } from '../../../../core/auth-modes/jwt/stored.ts';
import { ServiceError } from '../../../../core/errors.ts';
import { canary, sweep } from '../../../support/canaries.ts';
import { PAIRS, pemOf } from '../../../support/signing-keys.ts';
import { inputFor, NOW, useProvider } from '../building-blocks/token-endpoint/mode-input.ts';

const MINUTE_MS = 60_000;
const SECONDS = NOW.getTime() / 1000;

const ASSERTION: SignedJwtTemplate = {
  signing_key: '${credentials.privateKey}',
  expires_in_ms: 60 * MINUTE_MS,
  header: { alg: 'RS256', kid: { omit_if_empty: '${credentials.privateKeyId}' } },
  payload: {
    iss: '${credentials.issuerId}',
    aud: 'https://auth.example/token',
    scope: '${scopes}',
    sub: { omit_if_empty: '${connectionConfig.subject}' },
  },
};

/**
 * Responses of the token endpoint without a token, each with the kind of failure if it answers a refresh, and the error code if
 * it answers the request for the first token.
 */
const FAILURES: readonly (readonly [status: number, error: string, kind: TokenFailure['kind'], code: ServiceError['code']])[] = [
  [400, 'invalid_grant', 'refused', 'connection_test_failed'],
  [400, 'invalid_scope', 'transient', 'connection_test_failed'],
  [401, 'unauthorized_client', 'transient', 'connection_test_failed'],
  [429, 'invalid_grant', 'transient', 'provider_unavailable'],
  [503, 'temporarily_unavailable', 'transient', 'provider_unavailable'],
  [200, '', 'malformed', 'provider_unavailable'],
];

describe('an access token for a signed assertion (RFC 7523 §2.1)', function () {
  const { provider, deps } = useProvider(this);
  const stored: StoredJwt = {
    type: 'JWT',
    privateKey: pemOf(PAIRS.rsa),
    issuerId: 'svc@project.example',
    receivedAt: '2026-01-01T00:00:00.000Z',
  };

  function inputOf(definition: Partial<ProviderDefinition> = {}, changes: Partial<ModeInput> = {}) {
    return inputFor(provider, { auth_mode: 'JWT', assertion: ASSERTION, ...definition }, changes);
  }

  function respondWith(status: number, body: object) {
    provider.always('token', { response: { status, body: JSON.stringify(body) } });
    return body;
  }

  function newToken(more: object = { expires_in: 3_600 }): string {
    const token = canary('access token for an assertion');
    respondWith(200, { access_token: token, token_type: 'Bearer', ...more });
    return token;
  }

  const lastCall = () => provider.ledger.of('token').at(-1);
  const sentParams = () => Object.fromEntries(new URLSearchParams(lastCall()?.body.toString()));

  it('is asked for with the grant type and the assertion, and nothing of an app', async () => {
    const token = newToken();
    const prepared = await jwt.prepare?.(deps, inputOf(), stored);
    const { assertion = '', ...others } = sentParams();
    expect(others).to.deep.equal({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' });
    expect(lastCall()?.headers.authorization).to.equal(undefined);
    const { payload, protectedHeader } = await jwtVerify(assertion, PAIRS.rsa.publicKey, { currentDate: NOW });
    expect(protectedHeader).to.deep.equal({ alg: 'RS256', typ: 'JWT' });
    const claims = { iss: 'svc@project.example', aud: 'https://auth.example/token', scope: 'read' };
    expect(payload).to.deep.equal({ ...claims, iat: SECONDS - 60, exp: SECONDS + 3_540 });
    expect(prepared).to.deep.equal({
      ...stored,
      token,
      expiresAt: new Date(NOW.getTime() + 60 * MINUTE_MS).toISOString(),
      statedLifetimeMs: 60 * MINUTE_MS,
      receivedAt: NOW.toISOString(),
    });
    const { body, headers } = lastCall() ?? {};
    expect(sweep({ call: `${body} ${JSON.stringify(headers)}` })).to.deep.equal([]);
  });

  it('is asked for as the definition says, which cannot replace the grant type or the assertion', async () => {
    newToken();
    const definition = {
      body_format: 'json',
      token_headers: { 'X-Tenant': '${connectionConfig.tenant}' },
      token_params: { audience: ['a', 'b'], grant_type: 'other', assertion: 'other' },
    } as const;
    await jwt.prepare?.(deps, inputOf(definition, { connectionConfig: { tenant: 'acme', subject: 'ada@example.com' } }), {
      ...stored,
      privateKeyId: 'key-1',
    });
    expect(lastCall()?.headers).to.include({ 'x-tenant': 'acme', 'content-type': 'application/json' });
    const { assertion, ...params } = JSON.parse(String(lastCall()?.body));
    expect(params).to.deep.equal({ audience: ['a', 'b'], grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' });
    const { payload, protectedHeader } = await jwtVerify(assertion, PAIRS.rsa.publicKey, { currentDate: NOW });
    expect([payload.sub, protectedHeader.kid]).to.deep.equal(['ada@example.com', 'key-1']);
  });

  it('is refreshed by a new assertion with the time of the refresh', async () => {
    newToken({ expires_in: 60 });
    const first = await jwt.prepare?.(deps, inputOf(), stored);
    const later = new Date(NOW.getTime() + 50 * MINUTE_MS);
    const token = newToken({});
    const renewed = await jwt.refresh?.({ ...deps, now: () => later }, inputOf(), first ?? stored);
    expect(renewed).to.include({ token, receivedAt: later.toISOString(), privateKey: stored.privateKey });
    // The response states no lifetime, so the one that the previous response stated still applies.
    expect(renewed?.expiresAt).to.equal(new Date(later.getTime() + MINUTE_MS).toISOString());
    const { payload } = await jwtVerify(sentParams()['assertion'] ?? '', PAIRS.rsa.publicKey, { currentDate: later });
    expect(payload.iat).to.equal(later.getTime() / 1000 - 60);
  });

  for (const [status, error, kind, code] of FAILURES) {
    it(`fails at ${status} ${error} as ${kind} when refreshed, and with ${code} when first requested`, async () => {
      respondWith(status, { error, error_description: stored.privateKey });
      const renewal: unknown = await jwt.refresh?.(deps, inputOf(), stored).catch((cause: unknown) => cause);
      expect(renewal).to.be.instanceOf(TokenFailure).and.to.include({ kind, status });
      const first: unknown = await jwt.prepare?.(deps, inputOf(), stored).catch((cause: unknown) => cause);
      expect(first).to.be.instanceOf(ServiceError).and.to.include({ code });
      const text = [renewal, first]
        .map((failure) => (failure instanceof Error ? `${failure.message} ${failure.stack}` : ''))
        .join(' ');
      expect(sweep({ text })).to.deep.equal([]);
    });
  }

  it('is never requested from a host that an entered value chooses', async () => {
    const definition = {
      token_url: 'https://${connectionConfig.site}.auth.example/token',
      connection_config: { site: { type: 'string', title: 'Site', pattern: '[a-z]+' } },
    } as const;
    const input = inputOf(definition, { connectionConfig: { site: 'evil.example/' } });
    const failure: unknown = await jwt.refresh?.(deps, input, stored).catch((cause: unknown) => cause);
    expect(failure).to.be.instanceOf(TokenFailure).and.to.include({ kind: 'transient' });
    expect(provider.ledger.of('token')).to.have.length(0);
  });
});
