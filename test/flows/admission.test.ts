import { expect } from 'chai';
import type { TestApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { authorize, createSession, mustBe } from '../support/connect.ts';
import { refreshDue } from '../support/due-work.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { makeFolders } from '../support/folders.ts';
import type { ClientResponse } from '../support/http-client.ts';
import { Installation } from '../support/installation.ts';
import { withoutCalls } from '../support/operation-messages.ts';
import type { Behaviour } from '../support/scripted-server/behaviour.ts';
import { use } from '../support/use.ts';

const URL_FIELD = { type: 'string', title: 'URL', format: 'uri' };
const ENDPOINTS = { endpoints: ['/me'] };
const EXPECT = { ...ENDPOINTS, expect: { path: 'result.ok', equals: true } };
const OAUTH = {
  auth_mode: 'OAUTH2',
  authorization_url: '${integrationConfig.server}/authorize',
  token_url: '${integrationConfig.server}/token',
};
const KEY = { auth_mode: 'API_KEY' };
const DEFINITIONS = {
  oauth: provider(OAUTH, ENDPOINTS),
  'oauth-expect': provider(OAUTH, EXPECT),
  key: provider(KEY, ENDPOINTS),
  'key-expect': provider(KEY, EXPECT),
  'key-optional': provider(KEY, { ...ENDPOINTS, required: false }),
  'key-two': provider(KEY, { endpoints: ['/v2/me', '/v1/me'] }),
};

const HANG_UP: Behaviour = { response: { status: 200 }, delivery: 'reset' };
/**
 * Results of the verification call that prove nothing, and the error code with which an imported key is then refused. After an
 * OAuth exchange, none of them makes the service refuse the connection, because the exchange has proven the token.
 */
const PROVES_NOTHING: readonly [what: string, behaviour: Behaviour, code: string][] = [
  ['a redirect', { response: { status: 302, headers: { location: '/elsewhere' } } }, 'connection_test_failed'],
  ['400', { response: { status: 400 } }, 'connection_test_failed'],
  ['404', { response: { status: 404 } }, 'connection_test_failed'],
  ['405', { response: { status: 405 } }, 'connection_test_failed'],
  ['410', { response: { status: 410 } }, 'connection_test_failed'],
  ['429', { response: { status: 429 } }, 'provider_unavailable'],
  ['500', { response: { status: 500 } }, 'provider_unavailable'],
  ['a closed connection', HANG_UP, 'provider_unavailable'],
];

describe('the admission of credentials', function () {
  const folders = use(this, () =>
    makeFolders(
      Object.fromEntries(
        Object.entries(DEFINITIONS).map(([slug, definition]) => [`${slug}/provider.json`, JSON.stringify(definition)]),
      ),
    ),
  );
  const installation = use(this, () => Installation.open());
  const server = use(this, () => startFakeProvider({ openApi: true }));
  let app: TestApp;

  before(async () => {
    app = await installation.startApp({ SVC_PROVIDERS_DIR: folders.path });
    for (const slug of Object.keys(DEFINITIONS)) await createIntegration(slug, slug);
    for (const verify of ['required', 'warn', 'off']) await createIntegration(`key-${verify}`, 'key', { verify });
  });
  afterEach(() => server.always('api', {}));

  for (const [what, behaviour, code] of PROVES_NOTHING) {
    it(`is not refused after an OAuth exchange when the verification call meets ${what}`, async () => {
      server.always('api', behaviour);
      expect(await authorizedStatus('oauth')).to.equal(200);
    });

    it(`is refused to an imported key only where proof is required, when the verification call meets ${what}`, async () => {
      server.always('api', behaviour);
      expect(codeOf(await importKey('key'))).to.equal(code);
      expect(codeOf(await importKey('key-required'))).to.equal(code);
      for (const lenient of ['key-optional', 'key-warn', 'key-off'])
        expect(await importKey(lenient), lenient).to.have.property('status', 200);
    });
  }

  for (const [status, isAdmitted] of [
    [401, false],
    [403, true],
  ] as const) {
    it(`is ${isAdmitted ? 'not ' : ''}refused after an OAuth exchange when the verification call returns ${status}`, async () => {
      server.always('api', { response: { status } });
      expect(await authorizedStatus('oauth')).to.equal(isAdmitted ? 200 : 400);
    });

    it(`is refused to an imported key when the verification call returns ${status}, even if the integration only warns`, async () => {
      server.always('api', { response: { status } });
      for (const key of ['key', 'key-optional', 'key-warn'])
        expect(codeOf(await importKey(key)), key).to.equal('connection_test_failed');
    });
  }

  it('is marked in the operation log where nothing was proven', async () => {
    server.always('api', { response: { status: 404 } });
    const { body } = await importKey('key-warn');
    mustBe(200, await importKey('key-warn', body.connection_id));
    await app.services.activity.flush();
    const logs = await installation.db('operation_log').where({ connection_id: body.connection_id, type: 'auth' }).orderBy('id');
    expect(logs.map(({ operation, status }) => [operation, status])).to.have.deep.members([
      ['creation', 'success'],
      ['override', 'success'],
    ]);
    for (const { messages } of logs) expectUnproven(messages);

    expect(await authorizedStatus('oauth')).to.equal(200);
    await app.services.activity.flush();
    const { messages } = await installation
      .db('operation_log')
      .where({ provider_config_key: 'oauth' })
      .orderBy('created_at', 'desc')
      .first();
    expectUnproven(messages);
  });

  function expectUnproven(
    messages: readonly { readonly level: string; readonly message: string; readonly facts: Readonly<Record<string, unknown>> }[],
  ): void {
    const [{ level, message, facts } = expect.fail('nothing was noted'), ...more] = withoutCalls(messages);
    expect({ level, facts, more }).to.deep.equal({ level: 'warn', facts: { kind: 'unproven', status: 404 }, more: [] });
    expect(message).to.include('proved nothing');
  }

  it('makes no verification call, not even the daily one, where the integration turns it off', async () => {
    const before = server.ledger.of('api').length;
    server.always('api', { response: { status: 401 } });
    mustBe(200, await importKey('key-off'));
    expect(server.ledger.of('api')).to.have.lengthOf(before);

    await installation.db('connections').delete();
    mustBe(200, await importKey('key-off'));
    await installation.advance(25 * 3600);
    expect(await refreshDue(app.services)).to.equal(1);
    expect(server.ledger.of('api')).to.have.lengthOf(before);
    expect(await installation.db('connections').pluck('state')).to.deep.equal(['healthy']);
  });

  it('believes the endpoint that knows the credentials when another endpoint has moved', async () => {
    server.next('api', { response: { status: 404 } }, { response: { status: 200 } });
    expect(await importKey('key-two')).to.have.property('status', 200);
    server.next('api', { response: { status: 401 } }, { response: { status: 404 } });
    const refused = await importKey('key-two');
    expect(refused.body.error.message).to.contain('401');
  });

  for (const [status, body, isAdmitted] of [
    [200, '{"result":{"ok":true}}', true],
    [200, '{"result":{"ok":false}}', false],
    [200, '{"result":{"ok":"true"}}', false],
    [200, '{}', false],
    [400, '{"result":{"ok":true},"error":"a parameter is missing"}', true],
    [400, '{"result":{"ok":false}}', false],
  ] as const) {
    it(`is ${isAdmitted ? 'granted' : 'refused'} where an expected value is declared and the response is ${status} ${body}`, async () => {
      server.always('api', { response: { status, body } });
      expect(await importKey('key-expect')).to.have.property('status', isAdmitted ? 200 : 400);
      expect(await authorizedStatus('oauth-expect')).to.equal(isAdmitted ? 200 : 400);
    });
  }

  it('does not take a maintenance page for a response about the credentials', async () => {
    server.always('api', { response: { status: 200, body: '<h1>Back soon</h1>' } });
    expect(await authorizedStatus('oauth-expect')).to.equal(200);
    expect(codeOf(await importKey('key-expect'))).to.equal('connection_test_failed');
  });

  async function authorizedStatus(key: string): Promise<number> {
    const token = await createSession(app, { allowed_integrations: [key] });
    return (await authorize(app, { key, token })).status;
  }

  function importKey(key: string, connectionId?: string): Promise<ClientResponse> {
    const credentials = { type: 'API_KEY', apiKey: canary('API key at the provider') };
    const named = connectionId === undefined ? {} : { connection_id: connectionId };
    return app.api.post('/connections', { provider_config_key: key, credentials, ...named });
  }

  async function createIntegration(key: string, slug: string, config: Readonly<Record<string, string>> = {}): Promise<void> {
    const client = { type: 'OAUTH2', client_id: server.clientId, client_secret: server.clientSecret };
    const response = await app.api.post('/integrations', {
      unique_key: key,
      provider: slug,
      ...(slug.startsWith('oauth') && { credentials: client }),
      integration_config: { server: server.url, ...config },
    });
    mustBe(200, response);
  }
});

function codeOf({ body }: ClientResponse): string | undefined {
  return body.error?.code;
}

function provider(mode: object, verification: object): object {
  return {
    display_name: 'Verified',
    docs: 'https://docs.example',
    ...mode,
    integration_config: { server: URL_FIELD },
    proxy: { base_url: '${integrationConfig.server}/api', verification },
  };
}
