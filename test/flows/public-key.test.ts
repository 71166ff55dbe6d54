import { createHmac, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { ConnectionRow } from '../../core/connections/connection-row.ts';
import { setHmacKey, setPublicKey } from '../../core/tenants/api-keys/public-key-store.ts';
import type { TestApp } from '../support/app.ts';
import { connectionsOf, finish, wordsOf } from '../support/authorization.ts';
import { rememberSecret } from '../support/canaries.ts';
import { createIntegration, createSession } from '../support/connect.ts';
import { connectDirectly, DIRECT_METHODS, type DirectMethod, startDirectApp } from '../support/direct.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import type { ClientResponse } from '../support/http-client.ts';
import { expectError } from '../support/std-error.ts';
import { storeTenant } from '../support/stored.ts';
import { storedConnection } from '../support/stored-connection.ts';
import { use } from '../support/use.ts';
import { WebWalker } from '../support/web-walker.ts';

const PUBLIC_KEY = 'a3f0a4be-6a57-4d0c-8d5b-6f9a2a7a0c11';
const HMAC_KEY = rememberSecret('HMAC key', 'an-hmac-key-of-a-test');
/** HMACs by `printf %s TEXT | openssl dgst -sha256 -hmac an-hmac-key-of-a-test`. */
const VECTORS = {
  keyed: '480e6272206f8c05e501c4ef03dba604186aa97182a09df7a589073598e1232f',
  'keyed:user-1': 'dfa7552a928a980bfdb5b90952bea9a9aaca60a7bb9c161d90b62cd9a6d68189',
  fake: '1e07532a5d634d5472d78ecb6d293c33a9c347009b8bbb69e985845fd55dbb7e',
};
const METHOD: DirectMethod = DIRECT_METHODS['an API key'];

const signed = (text: string) => createHmac('sha256', HMAC_KEY).update(text).digest('hex');

describe('the deprecated public key', function () {
  const provider = use(this, startFakeProvider);

  async function open(env: Readonly<Record<string, string>>): Promise<TestApp> {
    const app = await startDirectApp(provider, env);
    await setPublicKey(app.services.db, 1, PUBLIC_KEY);
    await createIntegration(app, provider);
    return app;
  }

  /** The paths of all endpoints through which a browser connects. */
  const ADDRESSES = ['/oauth/connect/fake', ...Object.values(DIRECT_METHODS).map(({ path, key }) => `${path}/${key}`)];

  function visit(app: TestApp, address: string, query: string): Promise<ClientResponse> {
    const method = Object.values<DirectMethod>(DIRECT_METHODS).find(({ path }) => address.startsWith(path));
    return method === undefined
      ? app.client().get(`${address}?${query}`)
      : app.client().post(`${address}?${query}`, method.body());
  }

  describe('where it is off, which is the default', function () {
    const app = use(this, () => open({}));

    for (const address of ADDRESSES) {
      it(`is refused at ${address}, with what to use instead`, async () => {
        const token = await createSession(app);
        for (const query of [`public_key=${PUBLIC_KEY}`, 'public_key=', `public_key=x&connect_session_token=${token}`]) {
          const response = await visit(app, address, query);
          expectError(response, 'deprecated_authentication');
          expect(response.body.error.message).to.include('/connect/sessions').and.to.include('connect_session_token');
        }
      });
    }
  });

  describe('where it is on', function () {
    const app = use(this, () => open({ SVC_LEGACY_PUBLIC_KEY: 'on' }));

    beforeEach(() => setHmacKey(app.services, 1, null));

    const ask = (query: Record<string, string>, body: unknown = METHOD.body()) =>
      connectDirectly(app, METHOD, { query: { public_key: PUBLIC_KEY, ...query }, body });
    const count = async () => (await connectionsOf(app)).length;

    for (const address of ADDRESSES) {
      it(`opens ${address}, where nothing else is accepted`, async () => {
        expectError(await visit(app, address, ''), 'unknown_connect_session_token');
        for (const unknown of [randomUUID(), 'x', '', `${PUBLIC_KEY}0`, app.apiKey])
          expectError(await visit(app, address, `public_key=${encodeURIComponent(unknown)}`), 'unknown_account');
        const params = address.includes('signed') ? '&params[accountId]=1' : '';
        const { status, text } = await visit(app, address, `public_key=${PUBLIC_KEY}${params}`);
        expect(status, text).to.equal(address.includes('oauth/connect') ? 302 : 200);
      });
    }

    it('opens nothing else', async () => {
      for (const path of ['/connections', '/integrations', '/connect/session'])
        expectError(await app.client().get(`${path}?public_key=${PUBLIC_KEY}`), 'missing_auth_header');
      expectError(await app.client(PUBLIC_KEY).get('/connections'), 'unknown_account');
    });

    it('is not mixed with a session', async () => {
      expectError(await ask({ connect_session_token: await createSession(app) }), 'invalid_query_params', ['public_key']);
      const twice = `public_key=${PUBLIC_KEY}&public_key=${PUBLIC_KEY}`;
      expectError(await visit(app, ADDRESSES[0] ?? '', twice), 'invalid_query_params', ['public_key']);
    });

    it('creates a connection with a generated ID, or with the requested one', async () => {
      const made = await ask({});
      expect(made.body.connectionId).to.match(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      const chosen = await ask({ connection_id: 'user-of-mine/ü 1' });
      expect(chosen.body).to.deep.equal({ connectionId: 'user-of-mine/ü 1', providerConfigKey: METHOD.key });
      const { db } = app.database;
      expect(await storedConnection(db, { connectionId: 'user-of-mine/ü 1' })).to.deep.include({ environment_id: 1, tags: {} });
    });

    const IDS: Readonly<Record<string, readonly [string, boolean]>> = {
      'one character': ['x', true],
      '255 characters': ['y'.repeat(255), true],
      '256 characters': ['z'.repeat(256), false],
      nothing: ['', false],
      'a line feed': ['a\nb', false],
      'a character of C1': ['a\u0085b', false],
    };
    for (const [what, [id, isFine]] of Object.entries(IDS)) {
      it(`${isFine ? 'takes' : 'refuses'} a connection ID of ${what}`, async () => {
        const response = await ask({ connection_id: id });
        if (isFine) expect(response.body).to.include({ connectionId: id });
        else expectError(response, 'invalid_query_params', ['connection_id']);
      });
    }

    it('does not authorize an existing connection again without a signature', async () => {
      await ask({ connection_id: 'taken' });
      const before = await storedConnection(app.database.db, { connectionId: 'taken' });
      for (const query of [{}, { hmac: signed('keyed:taken') }])
        expectError(await ask({ connection_id: 'taken', ...query }), 'conflict');
      const connect = `/oauth/connect/fake?public_key=${PUBLIC_KEY}&connection_id=taken`;
      expect((await app.client().get(connect)).status, 'another integration').to.equal(302);
      expect(await storedConnection(app.database.db, { connectionId: 'taken' })).to.deep.equal(before);
    });

    it('stores nothing when the provider refuses the credentials', async () => {
      const before = await count();
      provider.next('api', { response: { status: 401 } });
      expectError(await ask({ connection_id: 'refused' }), 'connection_test_failed');
      expect(await count()).to.equal(before);
    });

    it('stays within its environment', async () => {
      const other = await storeTenant(app, 'other');
      const key = randomUUID();
      await setPublicKey(app.services.db, other.environmentId, key);
      expectError(await ask({ public_key: key }), 'unknown_provider_config');
      expect(await setPublicKey(app.services.db, other.environmentId, PUBLIC_KEY)).to.equal(false);
      await app.database.db('environments').where({ id: other.environmentId }).update({ deleted_at: new Date() });
      expectError(await ask({ public_key: key }), 'unknown_account');
    });

    describe('and the environment has an HMAC key', () => {
      beforeEach(() => setHmacKey(app.services, 1, HMAC_KEY));

      it('accepts the signature of the integration’s key from any implementation', async () => {
        expect(signed('keyed')).to.equal(VECTORS.keyed);
        for (const hmac of [VECTORS.keyed, VECTORS.keyed.toUpperCase()]) expect((await ask({ hmac })).status, hmac).to.equal(200);
      });

      const REFUSED: Readonly<Record<string, readonly [Record<string, string>, 'missing_hmac' | 'invalid_hmac']>> = {
        none: [{}, 'missing_hmac'],
        'none for a connection ID': [{ connection_id: 'user-1' }, 'missing_hmac'],
        'an empty one': [{ hmac: '' }, 'missing_hmac'],
        'one of something else': [{ hmac: signed('other') }, 'invalid_hmac'],
        'one that is cut short': [{ hmac: VECTORS.keyed.slice(0, 63) }, 'invalid_hmac'],
        'one that is too long': [{ hmac: `${VECTORS.keyed}0` }, 'invalid_hmac'],
        'one that differs at its end': [{ hmac: `${VECTORS.keyed.slice(0, 63)}0` }, 'invalid_hmac'],
        'one in base64': [{ hmac: Buffer.from(VECTORS.keyed, 'hex').toString('base64') }, 'invalid_hmac'],
        'one with another key': [{ hmac: createHmac('sha256', 'another').update('keyed').digest('hex') }, 'invalid_hmac'],
        'one without the connection ID': [{ hmac: VECTORS.keyed, connection_id: 'user-1' }, 'invalid_hmac'],
        'one of another connection ID': [{ hmac: VECTORS['keyed:user-1'], connection_id: 'user-2' }, 'invalid_hmac'],
        'one with a connection ID, without that ID': [{ hmac: VECTORS['keyed:user-1'] }, 'invalid_hmac'],
      };
      for (const [what, [query, code]] of Object.entries(REFUSED)) {
        it(`refuses such a signature, and stores nothing: ${what}`, async () => {
          const before = await count();
          const calls = provider.ledger.entries.length;
          expectError(await ask(query), code);
          expect([await count(), provider.ledger.entries.length]).to.deep.equal([before, calls]);
        });
      }

      it('authorizes an existing connection again when its ID is signed: tags and metadata stay', async () => {
        const query = { hmac: VECTORS['keyed:user-1'], connection_id: 'user-1' };
        expect((await ask(query)).status).to.equal(200);
        const rows = () => app.database.db<ConnectionRow>('connections').where({ connection_id: 'user-1' });
        await rows().update({ tags: { team: 'a' }, metadata: { plan: 1 } });
        const before = await storedConnection(app.database.db, { connectionId: 'user-1' });
        const body = METHOD.body() ?? {};
        expect((await ask(query, body)).body).to.deep.equal({ connectionId: 'user-1', providerConfigKey: METHOD.key });
        const { body: now } = await app.api.get(`/connections/user-1?provider_config_key=${METHOD.key}`);
        expect(now).to.deep.include({ id: before.id, tags: { team: 'a' }, metadata: { plan: 1 } });
        expect(now.credentials).to.include(body);
      });

      it('needs the signature for an authorization at the provider, too', async () => {
        const address = `/oauth/connect/fake?public_key=${PUBLIC_KEY}`;
        expectError(await app.client().get(address), 'missing_hmac');
        expectError(await app.client().get(`${address}&hmac=${VECTORS.keyed}`), 'invalid_hmac');
        expect((await app.client().get(`${address}&hmac=${VECTORS.fake}`)).status).to.equal(302);
      });
    });

    describe('at a provider that asks the user', () => {
      async function returning(query: string) {
        const walker = new WebWalker();
        const address = `${app.url}/oauth/connect/fake?public_key=${PUBLIC_KEY}${query}`;
        const back = await walker.follow(address, (url) => url.startsWith(`${app.url}/oauth/callback`));
        if (!('stoppedAt' in back)) throw new Error(`the provider did not send the browser back: ${back.status} ${back.text}`);
        return { walker, callback: new URL(back.stoppedAt) };
      }

      it('creates the connection with the requested ID', async () => {
        const page = await finish(await returning('&connection_id=by-consent'));
        expect(page.status, page.text).to.equal(200);
        expect((await storedConnection(app.database.db, { connectionId: 'by-consent' })).environment_id).to.equal(1);
      });

      it('creates only one connection with an ID that was requested twice', async () => {
        const [first, second] = [await returning('&connection_id=wanted'), await returning('&connection_id=wanted')];
        expect((await finish(first)).status).to.equal(200);
        const before = await storedConnection(app.database.db, { connectionId: 'wanted' });
        const page = await finish(second);
        expect(page.status).to.equal(400);
        expect(wordsOf(page)).to.include('This attempt is no longer valid');
        expect(await storedConnection(app.database.db, { connectionId: 'wanted' })).to.deep.equal(before);
      });
    });
  });

  it('cannot be guessed indefinitely', async () => {
    await using app = await open({ SVC_LEGACY_PUBLIC_KEY: 'on', SVC_RATE_LIMIT_FAILURES_PER_MINUTE: '3' });
    await app.clock.nextMinute();
    const guess = () => visit(app, '/oauth/connect/fake', `public_key=${randomUUID()}`);
    for (let tries = 0; tries < 3; tries += 1) expectError(await guess(), 'unknown_account');
    expectError(await guess(), 'too_many_request');
    expect((await visit(app, '/oauth/connect/fake', `public_key=${PUBLIC_KEY}`)).status).to.equal(302);
  });
});
