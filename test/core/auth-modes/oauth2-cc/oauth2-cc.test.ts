import { expect } from 'chai';
import type { ProviderDefinition } from '#contract';
import { type ModeInput, TokenFailure } from '../../../../core/auth-modes/auth-mode.ts';
import { oauth2Cc } from '../../../../core/auth-modes/oauth2-cc/index.ts';
import { ServiceError } from '../../../../core/errors.ts';
import { canary } from '../../../support/canaries.ts';
import { inputFor, NOW, useProvider } from '../building-blocks/token-endpoint/mode-input.ts';

const RESPONSE = { access_token: 'fresh-token', token_type: 'Bearer', expires_in: 3600, refresh_token: 'nobody-asked' };
/**
 * Responses with errors of RFC 6749 §5.2, each with the resulting kind of failure: errors about the user's own app are refusals,
 * unless the status only says to try again later.
 */
const VERDICTS: readonly (readonly [status: number, error: string, kind: TokenFailure['kind']])[] = [
  [401, 'invalid_client', 'refused'],
  [400, 'unauthorized_client', 'refused'],
  [400, 'invalid_grant', 'refused'],
  [400, 'invalid_scope', 'transient'],
  [400, 'invalid_request', 'transient'],
  [429, 'invalid_client', 'transient'],
  [503, 'invalid_client', 'transient'],
];

describe('the client credentials grant', function () {
  const { provider, deps } = useProvider(this);
  const stored: Parameters<typeof oauth2Cc.templateValues>[0] = {
    type: 'OAUTH2_CC',
    clientId: 'own-id',
    clientSecret: canary('own client secret'),
    token: canary('old token'),
    receivedAt: '2026-01-01T00:00:00.000Z',
    raw: {},
  };

  function respondWith(status: number, body: object): void {
    provider.always('token', { response: { status, body: JSON.stringify(body) } });
  }

  async function refreshed(definition: Partial<ProviderDefinition> = {}, changes: Partial<ModeInput> = {}, from = stored) {
    const renewed = await oauth2Cc.refresh?.(deps, inputFor(provider, definition, changes), from);
    const [call] = provider.ledger.of('token');
    return { renewed, sent: call?.body.toString() ?? '', headers: call?.headers };
  }

  it('is asked for as the connection’s own app (RFC 6749 §4.4.2)', async () => {
    respondWith(200, RESPONSE);
    const { renewed, sent } = await refreshed();
    const { clientId: client_id, clientSecret: client_secret } = stored;
    const params = Object.fromEntries(new URLSearchParams(sent));
    expect(params).to.deep.equal({ grant_type: 'client_credentials', scope: 'read', client_id, client_secret });
    expect(renewed).to.deep.equal({
      ...stored,
      token: 'fresh-token',
      expiresAt: '2026-03-01T13:00:00.000Z',
      statedLifetimeMs: 3_600_000,
      receivedAt: NOW.toISOString(),
      raw: RESPONSE,
    });
  });

  it('is asked for as the definition says: header, parameters, JSON, scopes', async () => {
    respondWith(200, RESPONSE);
    const { sent, headers } = await refreshed(
      {
        token_request_auth_method: 'basic',
        body_format: 'json',
        token_params: { audience: 'https://${connectionConfig.tenant}.example' },
        default_scopes: ['a', 'b'],
        scope_separator: ',',
      },
      { client: { clientId: 'integration', clientSecret: 'unused', scopes: [] }, connectionConfig: { tenant: 'acme' } },
    );
    expect(JSON.parse(sent)).to.deep.equal({
      grant_type: 'client_credentials',
      scope: 'a,b',
      audience: 'https://acme.example',
    });
    const pair = `own-id:${encodeURIComponent(stored.clientSecret)}`;
    expect(headers?.authorization).to.equal(`Basic ${Buffer.from(pair).toString('base64')}`);
  });

  for (const [status, error, kind] of VERDICTS) {
    it(`fails as ${kind} at ${status} ${error}`, async () => {
      respondWith(status, { error });
      const failure: unknown = await refreshed().catch((cause: unknown) => cause);
      expect(failure).to.be.instanceOf(TokenFailure).and.to.include({ kind, status });
    });
  }

  it('fails only temporarily while the definition has no token URL', async () => {
    const input = inputFor(provider);
    const { token_url: _, ...definition } = input.definition;
    const failure: unknown = await oauth2Cc.refresh?.(deps, { ...input, definition }, stored).catch((cause: unknown) => cause);
    expect(failure).to.be.instanceOf(TokenFailure).and.to.include({ kind: 'transient' });
  });

  it('fetches the first token of credentials without one, and leaves those with one alone', async () => {
    respondWith(200, RESPONSE);
    const prepared = await oauth2Cc.prepare?.(deps, inputFor(provider), { ...stored, token: '' });
    expect(prepared).to.include({ token: 'fresh-token', expiresAt: '2026-03-01T13:00:00.000Z' });
    expect(await oauth2Cc.prepare?.(deps, inputFor(provider), stored)).to.equal(stored);
    expect(provider.ledger.of('token')).to.have.length(1);
  });

  for (const [status, code] of [
    [401, 'connection_test_failed'],
    [400, 'connection_test_failed'],
    [429, 'provider_unavailable'],
    [500, 'provider_unavailable'],
  ] as const) {
    it(`fails as ${code} where the first token request gets ${status}`, async () => {
      respondWith(status, { error: 'invalid_scope' });
      const prepared = oauth2Cc.prepare?.(deps, inputFor(provider), { ...stored, token: '' });
      const failure: unknown = await prepared?.catch((cause: unknown) => cause);
      expect(failure).to.be.instanceOf(ServiceError).and.to.include({ code });
    });
  }

  it('adopts the tokens of a plugin’s own refresh', () => {
    const tokens = { accessToken: 'by-plugin', refreshToken: 'unused', raw: { a: 1 } };
    const adopted = oauth2Cc.adopt?.(inputFor(provider), tokens, {
      receivedAt: NOW,
      previous: { ...stored, expiresAt: '2026-01-01T01:00:00.000Z' },
    });
    expect(adopted).to.deep.equal({ ...stored, token: 'by-plugin', receivedAt: NOW.toISOString(), raw: { a: 1 } });
  });
});
