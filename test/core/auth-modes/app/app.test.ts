import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { jwtVerify } from 'jose';
import type { ProviderDefinition } from '#contract';
import { app } from '../../../../core/auth-modes/app/index.ts';
import { type ClientSettings, type ModeInput, TokenFailure } from '../../../../core/auth-modes/auth-mode.ts';
import type { StoredApp } from '../../../../core/auth-modes/building-blocks/installed-app/stored-app.ts';
import { storedFromImport } from '../../../../core/auth-modes/import-credentials.ts';
import { ServiceError } from '../../../../core/errors.ts';
import { rememberSecret, sweep } from '../../../support/canaries.ts';
import { inputFor, NOW, useProvider } from '../building-blocks/token-endpoint/mode-input.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PKCS1 = rememberSecret('private key', privateKey.export({ type: 'pkcs1', format: 'pem' }).toString());
const PKCS8 = rememberSecret('private key', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
const ELLIPTIC = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

/** A token response in GitHub's format. */
const RESPONSE = { token: 'ghs_installation', expires_at: '2026-03-01T13:00:00Z', permissions: { metadata: 'read' } };

/** Forms in which the settings of an app may be given, each with the issuer that the app's signed JWT then names. */
const CLIENTS: readonly (readonly [what: string, client: Partial<ClientSettings>, issuer: string])[] = [
  ['client ID and PKCS #1', { clientId: '4711', clientSecret: PKCS1 }, '4711'],
  ['client ID and PKCS #8', { clientId: '4711', clientSecret: PKCS8 }, '4711'],
  ['a key in one line', { clientId: '4711', clientSecret: PKCS1.replaceAll('\n', '\\n') }, '4711'],
  ['app ID and private key', { appId: '4712', privateKey: PKCS1, clientId: 'other', clientSecret: 'other' }, '4712'],
];
const UNFIT: readonly (readonly [what: string, client: Partial<ClientSettings>])[] = [
  ['no app', {}],
  ['no ID', { clientSecret: PKCS1 }],
  ['no key', { clientId: '4711' }],
  ['a text that is no key', { clientId: '4711', clientSecret: 'not a key' }],
  ['a key of another kind', { clientId: '4711', clientSecret: ELLIPTIC }],
];

const REFRESH_FAILURES: readonly (readonly [status: number, kind: TokenFailure['kind']])[] = [
  [404, 'refused'],
  [410, 'refused'],
  [401, 'transient'],
  [403, 'transient'],
  [429, 'transient'],
  [500, 'transient'],
];
const PREPARE_FAILURES = [
  [404, 'connection_test_failed'],
  [401, 'connection_test_failed'],
  [429, 'provider_unavailable'],
  [502, 'provider_unavailable'],
] as const;

describe('a token of an installation', function () {
  const { provider, deps } = useProvider(this, { openApi: true });
  const given = storedFromImport({ type: 'APP', app_id: '4711', installation_id: '12/34' }, NOW);

  beforeEach(() => respondWith(201, RESPONSE));

  function respondWith(status: number, body: object): void {
    provider.always('api', { response: { status, body: JSON.stringify(body) } });
  }

  function inputOf(client: Partial<ClientSettings>, definition: Partial<ProviderDefinition> = {}): ModeInput {
    const token_url = `${provider.url}/app/installations/\${connectionConfig.installation_id}/access_tokens`;
    return inputFor(
      provider,
      { token_url, token_headers: { Accept: 'application/vnd.github+json', 'User-Agent': 'svc' }, ...definition },
      { client: { clientId: '', clientSecret: '', scopes: [], ...client } },
    );
  }

  const APP = { clientId: '4711', clientSecret: PKCS1 };

  function stored(): StoredApp {
    if (given.type !== 'APP') throw new Error('it was imported as an app');
    return given as StoredApp;
  }

  async function failureOf(work: Promise<unknown> | undefined): Promise<unknown> {
    return work?.then(
      () => undefined,
      (error: unknown) => error,
    );
  }

  for (const [what, client, issuer] of CLIENTS) {
    it(`is requested with a proof from ${what} that is valid for ten minutes at most`, async () => {
      await app.refresh?.(deps, inputOf(client), stored());
      const [call] = provider.ledger.of('api');
      expect(call?.target).to.equal('/app/installations/12%2F34/access_tokens');
      expect(call?.headers).to.include({ accept: 'application/vnd.github+json', 'user-agent': 'svc' });
      const [, proof = ''] = String(call?.headers.authorization).split(' ');
      const key = createPublicKey(privateKey);
      const { payload, protectedHeader } = await jwtVerify(proof, key, { currentDate: NOW, algorithms: ['RS256'] });
      const seconds = NOW.getTime() / 1000;
      expect(payload).to.deep.equal({ iss: issuer, iat: seconds - 60, exp: seconds + 540 });
      expect(protectedHeader).to.deep.equal({ alg: 'RS256', typ: 'JWT' });
      expect(sweep({ body: call?.body ?? '' })).to.deep.equal([]);
    });
  }

  for (const [what, client] of UNFIT) {
    it(`needs the integration’s app: ${what} will not do`, async () => {
      expect(await failureOf(app.prepare?.(deps, inputOf(client), stored())))
        .to.be.instanceOf(ServiceError)
        .and.to.include({ code: 'missing_client_id' });
      expect(await failureOf(app.refresh?.(deps, inputOf(client), stored())))
        .to.be.instanceOf(TokenFailure)
        .and.to.include({ kind: 'transient' });
      expect(provider.ledger.of('api')).to.have.length(0);
    });
  }

  for (const missing of [{ clientSecret: '' }, { clientId: '' }]) {
    it(`is not fetched for a callback if the app lacks its ${Object.keys(missing)}`, async () => {
      const user_installations = { url: `${provider.url}/installations`, list: 'installations', id: 'id' };
      const installation = { user_token_url: `${provider.url}/user-token`, user_installations };
      const connection_config = { installation_id: { type: 'string' as const, title: 'Installation' } };
      const client = { appId: '4712', privateKey: PKCS1, clientId: 'id', clientSecret: 'secret', ...missing };
      const end = { query: { installation_id: '1', code: 'code' }, secrets: {} };
      expect(await failureOf(app.complete?.(deps, inputOf(client, { installation, connection_config }), end)))
        .to.be.instanceOf(ServiceError)
        .and.to.include({ code: 'missing_client_id' });
      expect(provider.ledger.of('api')).to.have.length(0);
    });
  }

  it('is fetched before imported credentials are stored, whose raw stays what was imported', async () => {
    const prepared = await app.prepare?.(deps, inputOf(APP), stored());
    expect(prepared).to.deep.equal({
      type: 'APP',
      appId: '4711',
      installationId: '12/34',
      accessToken: 'ghs_installation',
      expiresAt: '2026-03-01T13:00:00.000Z',
      statedLifetimeMs: 3_600_000,
      receivedAt: NOW.toISOString(),
      raw: { app_id: '4711', installation_id: '12/34' },
    });
  });

  it('is refreshed with the provider’s response as raw', async () => {
    const renewed = await app.refresh?.(deps, inputOf(APP), stored());
    expect(renewed).to.include({ accessToken: 'ghs_installation' }).and.to.deep.include({ raw: RESPONSE });
  });

  it('is read from where the definition says', async () => {
    respondWith(200, { data: { jwt: 'elsewhere', ttl: 60 } });
    const token_response = { token: 'data.jwt', token_expiration: 'data.ttl', token_expiration_strategy: 'expireIn' as const };
    const renewed = await app.refresh?.(deps, inputOf(APP, { token_response }), stored());
    expect(renewed).to.include({ accessToken: 'elsewhere', expiresAt: '2026-03-01T12:01:00.000Z' });
  });

  for (const [status, kind] of REFRESH_FAILURES) {
    it(`fails to refresh as ${kind} at ${status}`, async () => {
      respondWith(status, { message: 'no' });
      expect(await failureOf(app.refresh?.(deps, inputOf(APP), stored())))
        .to.be.instanceOf(TokenFailure)
        .and.to.include({ kind, status });
    });
  }

  it('is refused for a suspended installation as the definition describes it', async () => {
    const suspended = { status: 403, path: 'message', equals: 'suspended' };
    const user_installations = { url: provider.url, list: 'installations', id: 'id' };
    const installation = { user_token_url: provider.url, user_installations, suspended };
    for (const [message, kind] of [['suspended', 'refused'] as const, ['rate limit', 'transient'] as const]) {
      respondWith(403, { message });
      expect(await failureOf(app.refresh?.(deps, inputOf(APP, { installation }), stored()))).to.include({ kind });
    }
  });

  for (const [status, code] of PREPARE_FAILURES) {
    it(`fails with ${code} for an import at ${status}`, async () => {
      respondWith(status, { message: 'no' });
      expect(await failureOf(app.prepare?.(deps, inputOf(APP), stored())))
        .to.be.instanceOf(ServiceError)
        .and.to.include({ code });
    });
  }

  it('fails as malformed if the response contains none', async () => {
    respondWith(201, { expires_at: '2026-03-01T13:00:00Z' });
    expect(await failureOf(app.refresh?.(deps, inputOf(APP), stored())))
      .to.be.instanceOf(TokenFailure)
      .and.to.include({ kind: 'malformed' });
  });
});
