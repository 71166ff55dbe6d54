import { inspect } from 'node:util';
import { expect } from 'chai';
import type { AuthRules, ProviderDefinition } from '#contract';
import type { ModeInput, TokenFailure } from '../../../../core/auth-modes/auth-mode.ts';
import { refresh } from '../../../../core/auth-modes/oauth2/refresh.ts';
import type { StoredOAuth2 } from '../../../../core/auth-modes/oauth2/stored.ts';
import { canary, sweep } from '../../../support/canaries.ts';
import { startFakeProvider } from '../../../support/fake-provider/fake-provider.ts';
import type { Behaviour, EchoPlace } from '../../../support/scripted-server/behaviour.ts';
import { inputFor, NOW, tokenFailure, useProvider } from '../building-blocks/token-endpoint/mode-input.ts';

describe('a refresh', function () {
  const { provider, deps } = useProvider(this, { pkce: 'ignored' });

  function stored(): StoredOAuth2 {
    const code = provider.grants.issueCode({ redirectUri: 'r', scope: 'read' });
    const { refreshToken = '' } = provider.grants.redeem(code, 'r', undefined) ?? {};
    return { type: 'OAUTH2', accessToken: canary('old access token'), refreshToken, receivedAt: NOW.toISOString(), raw: {} };
  }

  function failure(behaviour: Behaviour, changes: Partial<ModeInput> = {}): Promise<TokenFailure> {
    provider.next('token', behaviour);
    return tokenFailure(refresh(deps, inputFor(provider, {}, changes), stored()));
  }

  describe('the request', () => {
    const WAYS: [string, Partial<ProviderDefinition>, Parameters<typeof startFakeProvider>[0]][] = [
      ['shows client and secret in a form', {}, { clientAuth: 'body', bodyFormat: 'form' }],
      ['shows them in a header where the definition says so', { token_request_auth_method: 'basic' }, { clientAuth: 'basic' }],
      ['is JSON where the definition says so', { body_format: 'json' }, { bodyFormat: 'json' }],
    ];
    for (const [way, definition, settings] of WAYS) {
      it(way, async () => {
        await using strict = await startFakeProvider({ ...settings, pkce: 'ignored' });
        const pair = strict.grants.redeem(strict.grants.issueCode({ redirectUri: 'r', scope: '' }), 'r', undefined);
        const old = { ...stored(), refreshToken: pair?.refreshToken ?? '' };
        const renewed = await refresh(deps, inputFor(strict, definition), old);
        expect(strict.grants.isLive(renewed.accessToken)).to.equal(true);
      });
    }

    it('encodes ID and secret before base64 (RFC 6749 §2.3.1)', async () => {
      const client = { clientId: 'a:b c', clientSecret: 'p+q/r%', scopes: [] };
      await refresh(deps, inputFor(provider, { token_request_auth_method: 'basic' }, { client }), stored()).catch(
        () => undefined,
      );
      const [, encoded = ''] = String(provider.ledger.of('token')[0]?.headers.authorization).split(' ');
      expect(Buffer.from(encoded, 'base64').toString()).to.equal('a%3Ab+c:p%2Bq%2Fr%25');
    });

    it('is made as the app of the connection when it has one of its own', async () => {
      const configOverride = { clientId: 'own-app', clientSecret: 'own-secret' };
      await refresh(deps, inputFor(provider), { ...stored(), configOverride }).catch(() => undefined);
      expect(provider.ledger.of('token')[0]?.params).to.include({ client_id: 'own-app', client_secret: 'own-secret' });
    });

    it('goes to the URL that the integration names, which is not read as a template', async () => {
      const definition = {
        integration_config: { refresh_url: { type: 'string', title: 'Refresh URL', format: 'uri' } },
      } as const;
      const address = (refreshUrl: string) =>
        inputFor(provider, definition, { integrationConfig: { refresh_url: refreshUrl }, connectionConfig: { x: 'filled' } });
      await refresh(deps, address(`${provider.url}/token?own=1`), stored());
      expect(provider.ledger.of('token')[0]?.target).to.equal('/token?own=1');
      await refresh(deps, address(`${provider.url}/\${connectionConfig.x}`), stored()).catch(() => undefined);
      expect(provider.ledger.entries.at(-1)?.target).to.equal('/$%7BconnectionConfig.x%7D');
    });
  });

  describe('the failure', () => {
    const json = (status: number, body: unknown, headers = {}): Behaviour => ({
      response: { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) },
    });
    const KINDS: [string, Behaviour, Partial<TokenFailure>][] = [
      ['invalid_grant', json(400, { error: 'invalid_grant' }), { kind: 'refused', status: 400, providerCode: 'invalid_grant' }],
      ['invalid_grant with 401', json(401, { error: 'invalid_grant' }), { kind: 'refused' }],
      ['invalid_grant with 200', json(200, { error: 'invalid_grant' }), { kind: 'refused' }],
      ['invalid_grant as a form', { response: { status: 400, body: 'error=invalid_grant' } }, { kind: 'refused' }],
      ['invalid_grant on the error page of a gateway', json(502, { error: 'invalid_grant' }), { kind: 'transient' }],
      ['invalid_client', json(401, { error: 'invalid_client' }), { kind: 'transient', providerCode: 'invalid_client' }],
      ['an unknown error', json(400, { error: 'my_secret' }), { kind: 'transient', providerCode: undefined }],
      ['404', { response: { status: 404 } }, { kind: 'transient', status: 404 }],
      ['500', { response: { status: 500, body: '<html>' } }, { kind: 'transient', status: 500 }],
      ['429 with a wait', json(429, {}, { 'retry-after': '120' }), { kind: 'transient', retryAfterSeconds: 120 }],
      [
        '503 until a date',
        json(503, {}, { 'retry-after': 'Sun, 01 Mar 2026 12:02:00 GMT' }),
        { kind: 'transient', retryAfterSeconds: 120 },
      ],
      ['503 with a senseless wait', json(503, {}, { 'retry-after': '-5' }), { kind: 'transient', retryAfterSeconds: undefined }],
      ['a redirect', { response: { status: 302, headers: { location: 'https://evil.example' } } }, { kind: 'malformed' }],
      ['a reset before the response', { delivery: 'reset' }, { kind: 'unknown', status: 0 }],
      ['a reset inside the response', { delivery: 'reset_inside' }, { kind: 'unknown' }],
    ];
    for (const [response, behaviour, facts] of KINDS) {
      it(`of ${response} is ${facts.kind}`, async () => {
        expect(await failure(behaviour)).to.include(facts);
      });
    }

    it('of an endpoint that nobody listens at is transient, because nothing was spent', async () => {
      const gone = await startFakeProvider();
      const input = inputFor(gone);
      await gone[Symbol.asyncDispose]();
      expect(await tokenFailure(refresh(deps, input, stored()))).to.include({ kind: 'transient', status: 0 });
    });

    it('is classified by the plugin where it knows a code of its own', async () => {
      const rules: AuthRules = { isRevoked: ({ error }) => error === 'grant_is_gone' };
      expect(await failure(json(400, { error: 'grant_is_gone' }), { rules })).to.include({
        kind: 'refused',
        providerCode: undefined,
      });
      expect(await failure(json(400, { error: 'invalid_grant' }), { rules })).to.include({ kind: 'transient' });
    });

    it('is transient when the plugin throws, and repeats nothing of its error', async () => {
      const rules: AuthRules = {
        isRevoked: ({ body }) => {
          throw new Error(JSON.stringify(body));
        },
      };
      const error = await failure(json(400, { error: 'invalid_grant', echo: 'body-canary' }), { rules });
      expect(error).to.include({ kind: 'transient', providerCode: 'invalid_grant' });
      expect(inspect(error)).not.to.contain('body-canary');
    });

    const PLACES: EchoPlace[] = ['error_body', 'header', 'redirect', 'www_authenticate', 'cookie', 'html_title'];
    for (const place of PLACES) {
      it(`holds nothing that the provider echoes in ${place.replace('_', ' ')}`, async () => {
        const error = await failure({ echo: { place } });
        const texts = [error.message, error.stack ?? '', JSON.stringify(error), String(error.cause), String(error.providerCode)];
        expect(sweep({ error: texts })).to.deep.equal([]);
      });
    }
  });
});
