import { expect } from 'chai';
import { connectionsOf } from '../support/authorization.ts';
import { createSession, mustBe, readConnection } from '../support/connect.ts';
import { connectDirectly, DIRECT_METHODS, type DirectMethod, directQuery, startDirectApp } from '../support/direct.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { PAIRS, pemOf } from '../support/signing-keys.ts';
import { expectError } from '../support/std-error.ts';
import { use } from '../support/use.ts';

const MINUTE_MS = 60_000;
const METHODS: readonly DirectMethod[] = Object.values(DIRECT_METHODS);
const KEYED = DIRECT_METHODS['an API key'];
const LOGIN = DIRECT_METHODS['user name and password'];
const CLIENT = DIRECT_METHODS['a client'];
const SIGNED = DIRECT_METHODS['a token for signatures'];
const DIGEST = DIRECT_METHODS['a password for signatures'];
const STEPPED = DIRECT_METHODS['a sign-in'];
const SESSION = DIRECT_METHODS['a session of an organization'];
const TOKENED = DIRECT_METHODS['a key that signs'];
const STORE = DIRECT_METHODS['a key of an app store'];
const OPEN = DIRECT_METHODS.nothing;

const text = (length: number) => 'x'.repeat(length);
const PEM = pemOf(PAIRS.p256);
const RSA_PEM = pemOf(PAIRS.rsa);

/** Bodies at the boundary of a limit and beyond it; those that are refused have the path of the field at fault. */
const BODIES: readonly (readonly [DirectMethod, string, unknown, path?: readonly string[]])[] = [
  [KEYED, 'a key of one character', { apiKey: 'x' }],
  [KEYED, 'a key of 255, the longest where a form is declared', { apiKey: text(255) }],
  [KEYED, 'a key of 256', { apiKey: text(256) }, ['apiKey']],
  [KEYED, 'an empty key', { apiKey: '' }, ['apiKey']],
  [KEYED, 'no key', {}, ['apiKey']],
  [KEYED, 'a number', { apiKey: 1 }, ['apiKey']],
  [KEYED, 'a key that is not of the form that the provider declares', { apiKey: 'a b' }, ['apiKey']],
  [KEYED, 'a key with a line break', { apiKey: 'x\ny' }, ['apiKey']],
  [LOGIN, 'a password with a line break, which is encoded', { username: 'x', password: 'x\ny' }],
  [KEYED, 'another member', { apiKey: 'x', type: 'API_KEY' }, ['type']],
  [LOGIN, 'an empty name', { username: '', password: 'x' }],
  [LOGIN, 'an empty password', { username: 'x', password: '' }],
  [LOGIN, 'both of 16,384', { username: text(16_384), password: text(16_384) }],
  [LOGIN, 'a name of 16,385', { username: text(16_385), password: 'x' }, ['username']],
  [LOGIN, 'a password of 16,385', { username: 'x', password: text(16_385) }, ['password']],
  [LOGIN, 'no name', { password: 'x' }, ['username']],
  [LOGIN, 'no password', { username: 'x' }, ['password']],
  [LOGIN, 'a number', { username: 'x', password: 1 }, ['password']],
  [LOGIN, 'another member', { username: 'x', password: 'x', type: 'BASIC' }, ['type']],
  [CLIENT, 'an ID of 255 and a secret of 16,384', { client_id: text(255), client_secret: text(16_384) }],
  [CLIENT, 'an ID of 256', { client_id: text(256), client_secret: 'x' }, ['client_id']],
  [CLIENT, 'a secret of 16,385', { client_id: 'x', client_secret: text(16_385) }, ['client_secret']],
  [CLIENT, 'an empty ID', { client_id: '', client_secret: 'x' }, ['client_id']],
  [CLIENT, 'an empty secret', { client_id: 'x', client_secret: '' }, ['client_secret']],
  [CLIENT, 'no ID', { client_secret: 'x' }, ['client_id']],
  [CLIENT, 'no secret', { client_id: 'x' }, ['client_secret']],
  [CLIENT, 'a token', { client_id: 'x', client_secret: 'x', token: 'x' }, ['token']],
  [SIGNED, 'token and secret of 16,384', { token_id: text(16_384), token_secret: text(16_384) }],
  [SIGNED, 'an ID of 16,385', { token_id: text(16_385), token_secret: 'x' }, ['token_id']],
  [SIGNED, 'a secret of 16,385', { token_id: 'x', token_secret: text(16_385) }, ['token_secret']],
  [SIGNED, 'an empty ID', { token_id: '', token_secret: 'x' }, ['token_id']],
  [SIGNED, 'no secret', { token_id: 'x' }, ['token_secret']],
  [
    SIGNED,
    'an empty client ID',
    { token_id: 'x', token_secret: 'x', oauth_client_id_override: '' },
    ['oauth_client_id_override'],
  ],
  [
    SIGNED,
    'a client ID of 256',
    { token_id: 'x', token_secret: 'x', oauth_client_id_override: text(256) },
    ['oauth_client_id_override'],
  ],
  [SIGNED, 'the form of an import', { token_id: 'x', token_secret: 'x', config_override: {} }, ['config_override']],
  [DIGEST, 'no type, and a name of 255', { username: text(255), password: 'x' }],
  [DIGEST, 'any type, and a password of 16,384', { username: 'ada "x" \\é', password: text(16_384), type: 'WSSE' }],
  [DIGEST, 'an empty name', { username: '', password: 'x' }, ['username']],
  [DIGEST, 'a name of 256', { username: text(256), password: 'x' }, ['username']],
  [DIGEST, 'a name with a line break', { username: 'a\r\nX-Other: b', password: 'x' }, ['username']],
  [DIGEST, 'a name that fits into no header', { username: '李', password: 'x' }, ['username']],
  [DIGEST, 'an empty password', { username: 'x', password: '' }, ['password']],
  [DIGEST, 'a password of 16,385', { username: 'x', password: text(16_385) }, ['password']],
  [DIGEST, 'no password', { username: 'x' }, ['password']],
  [DIGEST, 'an empty type', { username: 'x', password: 'x', type: '' }, ['type']],
  [DIGEST, 'a token', { username: 'x', password: 'x', token: 'x' }, ['token']],
  [STEPPED, 'the longest password', { username: 'ada', password: text(16_384) }],
  [STEPPED, 'the members that clients add', { username: 'ada', password: 'x', type: 'TWO_STEP', assertionOption: { a: [1] } }],
  [STEPPED, 'a password of 16,385', { username: 'ada', password: text(16_385) }, ['password']],
  [STEPPED, 'no password', { username: 'ada' }, ['password']],
  [STEPPED, 'an empty password', { username: 'ada', password: '' }, ['password']],
  [STEPPED, 'a number', { username: 'ada', password: 1 }, ['password']],
  [STEPPED, 'a name of another form', { username: 'Ada!', password: 'x' }, ['username']],
  [STEPPED, 'a member that is no field', { username: 'ada', password: 'x', nowhere: 'x' }, ['nowhere']],
  [STEPPED, 'a member of the prototype', { username: 'ada', password: 'x', toString: 'x' }, ['toString']],
  [STEPPED, 'another type', { username: 'ada', password: 'x', type: 'BASIC' }, ['type']],
  [STEPPED, 'an empty body', {}, ['username']],
  [SESSION, 'the longest password', { ...SESSION.body(), password: text(16_384) }],
  [SESSION, 'a password of 16,385', { ...SESSION.body(), password: text(16_385) }, ['password']],
  [SESSION, 'an empty developer key', { ...SESSION.body(), dev_key: '' }, ['dev_key']],
  [SESSION, 'no organization', { username: 'ada', password: 'x', dev_key: 'x' }, ['organization_id']],
  [SESSION, 'another member', { ...SESSION.body(), session_id: 'x' }, ['session_id']],
  [TOKENED, 'every field', { privateKey: PEM, privateKeyId: 'k', issuerId: 'i', account: 'a', role: 'r', subject: 's' }],
  [TOKENED, 'what is required, and its type', { type: 'JWT', privateKey: PEM, privateKeyId: 'k', issuerId: 'a' }],
  [TOKENED, 'an account of 16,384', { privateKey: PEM, privateKeyId: 'k', issuerId: 'i', account: text(16_384) }],
  [TOKENED, 'an account of 16,385', { privateKey: PEM, privateKeyId: 'k', issuerId: 'i', account: text(16_385) }, ['account']],
  [TOKENED, 'another type', { type: 'APP_STORE', privateKey: PEM, privateKeyId: 'k', issuerId: 'a' }, ['type']],
  [TOKENED, 'no key', { privateKeyId: 'k', issuerId: 'a' }, ['privateKey']],
  [TOKENED, 'an empty key', { privateKey: '', privateKeyId: 'k', issuerId: 'a' }, ['privateKey']],
  [TOKENED, 'a key that is none', { privateKey: 'x', privateKeyId: 'k', issuerId: 'a' }, ['privateKey']],
  [TOKENED, 'a key of another kind', { privateKey: RSA_PEM, privateKeyId: 'k', issuerId: 'a' }, ['privateKey']],
  [TOKENED, 'a key in two parts', { privateKey: { id: 'i', secret: PEM }, privateKeyId: 'k', issuerId: 'a' }, ['privateKey']],
  [
    TOKENED,
    'a part too many',
    { privateKey: { id: 'i', secret: 's', x: 1 }, privateKeyId: 'k', issuerId: 'a' },
    ['privateKey', 'x'],
  ],
  [TOKENED, 'no key ID, which its provider requires', { privateKey: PEM, issuerId: 'a' }, ['privateKeyId']],
  [TOKENED, 'a key ID of another form', { privateKey: PEM, privateKeyId: 'a b', issuerId: 'a' }, ['privateKeyId']],
  [TOKENED, 'no issuer, which its provider requires', { privateKey: PEM, privateKeyId: 'k' }, ['issuerId']],
  [TOKENED, 'an empty field', { privateKey: PEM, privateKeyId: 'k', issuerId: 'i', account: '' }, ['account']],
  [TOKENED, 'a number', { privateKey: PEM, privateKeyId: 'k', issuerId: 'i', account: 1 }, ['account']],
  [TOKENED, 'a value with a line break', { privateKey: PEM, privateKeyId: 'k', issuerId: 'i', account: 'a\nb' }, ['account']],
  [TOKENED, 'another member', { privateKey: PEM, privateKeyId: 'k', issuerId: 'a', other: 'x' }, ['other']],
  [TOKENED, 'a name of an object’s own', { privateKey: PEM, privateKeyId: 'k', issuerId: 'a', toString: 'x' }, ['toString']],
  [STORE, 'key, key ID and issuer', { privateKey: PEM, privateKeyId: 'k', issuerId: 'i' }],
  [STORE, 'another type', { type: 'JWT', privateKey: PEM, privateKeyId: 'k', issuerId: 'i' }, ['type']],
  [STORE, 'a key in two parts', { privateKey: { id: 'i', secret: PEM }, privateKeyId: 'k', issuerId: 'i' }, ['privateKey']],
  [STORE, 'a key of another kind', { privateKey: RSA_PEM, privateKeyId: 'k', issuerId: 'i' }, ['privateKey']],
  [STORE, 'no issuer', { privateKey: PEM, privateKeyId: 'k' }, ['issuerId']],
  [STORE, 'an issuer of 256', { privateKey: PEM, privateKeyId: 'k', issuerId: text(256) }, ['issuerId']],
  [OPEN, 'no body', undefined],
  [OPEN, 'an empty text announced as JSON', ''],
  [OPEN, 'an object', {}, []],
];

describe('the endpoints for user interfaces of one’s own', function () {
  const provider = use(this, startFakeProvider);
  const app = use(this, () => startDirectApp(provider));

  async function ask(method: DirectMethod, params: Record<string, string> = {}, body: unknown = method.body()) {
    return connectDirectly(app, method, { query: directQuery(method, await createSession(app), params), body });
  }

  for (const [method, what, body, path] of BODIES) {
    it(`${method.path} ${path === undefined ? 'takes' : 'refuses'} ${what}`, async () => {
      const headers = { 'content-type': 'application/json' };
      const query = new URLSearchParams(directQuery(method, await createSession(app)));
      const calls = provider.ledger.entries.length;
      const response = await app.client().post(`${method.path}/${method.key}?${query}`, body, { headers });
      if (path === undefined) expect(response.status, response.text).to.equal(200);
      else {
        expectError(response, 'invalid_body', path.length === 0 ? undefined : path);
        expect(provider.ledger.entries).to.have.length(calls);
      }
    });
  }

  for (const method of METHODS) {
    it(`${method.path} refuses integrations of every other kind`, async () => {
      for (const other of METHODS.filter((one) => one !== method)) {
        const query = directQuery(other, await createSession(app));
        expectError(await connectDirectly(app, method, { query, body: method.body(), key: other.key }), 'invalid_auth_mode');
      }
      mustBe(200, await app.api.post('/integrations', { unique_key: `oauth of ${method.key}`, provider: 'github' }));
      const query = { connect_session_token: await createSession(app) };
      const response = await connectDirectly(app, method, { query, body: method.body(), key: `oauth of ${method.key}` });
      expectError(response, 'invalid_auth_mode');
    });

    it(`${method.path} accepts a live session and nothing else`, async () => {
      const body = method.body();
      const expired = await createSession(app);
      await app.clock.advance(31 * MINUTE_MS);
      const deleted = await createSession(app);
      await app.client(deleted).delete('/connect/session');
      for (const token of [expired, deleted, 'x', '', app.apiKey])
        expectError(
          await connectDirectly(app, method, { query: { connect_session_token: token }, body }),
          'unknown_connect_session_token',
        );
      expectError(await connectDirectly(app, method, { query: {}, body, client: app.api }), 'unknown_connect_session_token');
      const inHeader = app.client(await createSession(app));
      expectError(await connectDirectly(app, method, { query: {}, body, client: inHeader }), 'unknown_connect_session_token');
    });

    it(`${method.path} accepts an integration that exists and that the session allows`, async () => {
      const body = method.body();
      const allowed = await createSession(app, { allowed_integrations: [method.key] });
      const other = METHODS.find((one) => one !== method)?.key ?? '';
      for (const key of [other, 'nowhere'])
        expectError(
          await connectDirectly(app, method, { query: { connect_session_token: allowed }, body, key }),
          'integration_not_allowed',
        );
      const open = { connect_session_token: await createSession(app) };
      expectError(await connectDirectly(app, method, { query: open, body, key: 'nowhere' }), 'unknown_provider_config');
    });

    const SURPLUS = ['connection_id', 'hmac', 'user_scope', 'authorization_params[prompt]', 'credentials[x]', 'surplus'];
    it(`${method.path} refuses parameters that a browser may not send`, async () => {
      const before = (await connectionsOf(app)).length;
      for (const name of SURPLUS) {
        const query = { ...directQuery(method, await createSession(app)), [name]: 'x' };
        const response = await connectDirectly(app, method, { query, body: method.body() });
        expectError(response, 'invalid_query_params', [name.replace(/\[.*/, '')]);
      }
      expect(await connectionsOf(app)).to.have.length(before);
    });

    const CONFIG: Readonly<Record<string, readonly [Record<string, string>, string]>> = {
      'of another form': [{ site: 'ACME!' }, 'site'],
      'that only begins right': [{ site: 'acme/../x' }, 'site'],
      'that is hidden': [{ inner: 'x' }, 'inner'],
      'that is found out': [{ found: 'x' }, 'found'],
      'that there is not': [{ nowhere: 'x' }, 'nowhere'],
    };
    for (const [what, [params, name]] of Object.entries(CONFIG)) {
      it(`${method.path} refuses configuration ${what}`, async () => {
        expectError(await ask(method, params), 'invalid_query_params', ['params', name]);
      });
    }

    it(`${method.path} keeps values that the backend has fixed`, async () => {
      const fixed = { site: 'fixed', inner: 'set' };
      const token = await createSession(app, { integrations_config_defaults: { [method.key]: { connection_config: fixed } } });
      const query = directQuery(method, token, { site: 'typed' });
      const response = await connectDirectly(app, method, { query, body: method.body() });
      expect(response.status, response.text).to.equal(200);
      const { body } = await readConnection(app, { connectionId: response.body.connectionId, key: method.key });
      expect(body.connection_config).to.deep.equal({ ...method.config, ...fixed });
    });
  }

  it('requires the required configuration of a new connection', async () => {
    const query = { connect_session_token: await createSession(app) };
    const response = await connectDirectly(app, SIGNED, { query, body: SIGNED.body() });
    expectError(response, 'invalid_query_params', ['params', 'accountId']);
  });

  it('signs with the app of the request, else with the integration’s; without either there is no connection', async () => {
    const own = { oauth_client_id_override: 'own-app', oauth_client_secret_override: 'own secret' };
    const header = () => String(provider.ledger.of('api').at(-1)?.headers.authorization);
    expect((await ask(SIGNED, {}, { ...SIGNED.body(), ...own })).status).to.equal(200);
    expect(header()).to.include('oauth_consumer_key="own-app"');
    expect((await ask(SIGNED)).status).to.equal(200);
    expect(header()).to.include('oauth_consumer_key="signing-app"');

    mustBe(
      200,
      await app.api.post('/integrations', {
        unique_key: 'bare',
        provider: 'signed',
        integration_config: { server: provider.url },
      }),
    );
    const bare = async (body: object) => {
      const query = directQuery(SIGNED, await createSession(app));
      return connectDirectly(app, SIGNED, { query, body: { ...SIGNED.body(), ...body }, key: 'bare' });
    };
    for (const some of [{}, { oauth_client_id_override: 'own-app' }, { oauth_client_secret_override: 'own secret' }])
      expectError(await bare(some), 'missing_client_id');
    expect((await bare(own)).status).to.equal(200);
  });
});
