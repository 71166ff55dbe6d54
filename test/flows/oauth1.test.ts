import { expect } from 'chai';
import { connectionsOf, enter, finish, logOf, returnFromProvider, wordsOf } from '../support/authorization.ts';
import { sweep } from '../support/canaries.ts';
import {
  authorize,
  type Connected,
  createReconnectSession,
  createSession,
  mustBe,
  readConnection,
  throughProxy,
} from '../support/connect.ts';
import { SIGNATURE_METHODS, startOAuth1App } from '../support/oauth1-app.ts';
import { protocolOf } from '../support/oauth1-provider/signed-request.ts';
import { use } from '../support/use.ts';
import { WebWalker } from '../support/web-walker.ts';

describe('an authorization by OAuth 1 (OAU-10)', function () {
  const app = use(this, startOAuth1App);

  afterEach(() => {
    for (const endpoint of ['request', 'authorize', 'token', 'api'] as const) app.provider.always(endpoint, {});
    app.provider.consent = 'allow';
  });

  const last = (endpoint: string) => app.provider.ledger.of(endpoint).at(-1) ?? expect.fail(`no call of ${endpoint}`);

  async function connect(key: string, config: object = {}): Promise<Connected> {
    const token = await createSession(app, { integrations_config_defaults: { [key]: { connection_config: config } } });
    const page = await authorize(app, { key, token });
    expect(page.status, page.text).to.equal(200);
    const [newest] = await connectionsOf(app);
    return { connectionId: newest?.connection_id ?? '', key };
  }

  for (const key of SIGNATURE_METHODS) {
    it(`connects and calls the API, signed with ${key.toUpperCase()}`, async () => {
      const connected = await connect(key);
      const { credentials } = (await readConnection(app, connected)).body;
      expect(credentials).to.have.all.keys('type', 'oauth_token', 'oauth_token_secret', 'raw');
      expect(credentials.type).to.equal('OAUTH1');
      expect(app.provider.live.get(credentials.oauth_token)).to.equal(credentials.oauth_token_secret);
      expect(credentials.raw).to.deep.equal({
        oauth_token: credentials.oauth_token,
        oauth_token_secret: credentials.oauth_token_secret,
        user_id: '42',
      });

      for (const path of ['/me?q=a+b&q=%C3%A9', '/me']) {
        const response = await throughProxy(app, connected, { path });
        expect(response.body, response.text).to.include({ id: 'ada', target: `/api${path}` });
      }
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      mustBe(200, await throughProxy(app, connected, { path: '/form', method: 'POST', headers, body: 'a=1&a=+%2B&b=' }));
    });
  }

  it('asks for the request token with the callback of this flow, and sends the browser to the provider with it', async () => {
    const page = await enter(app, { key: 'hmac-sha1' });
    expect(page.status).to.equal(302);
    const location = new URL(page.headers.get('location') ?? '');
    expect(location.origin + location.pathname).to.equal(`${app.provider.url}/authorize`);
    expect([...location.searchParams.keys()]).to.deep.equal(['oauth_token']);

    const { oauth_callback: callback = '', oauth_token, oauth_nonce } = protocolOf(last('request'));
    const { origin, pathname, searchParams } = new URL(callback);
    expect(origin + pathname).to.equal(`${app.url}/oauth/callback`);
    expect([...searchParams.keys()]).to.deep.equal(['state']);
    expect(searchParams.get('state')).to.match(/^[\w-]{43}$/);
    expect(oauth_token).to.equal(undefined);
    expect(oauth_nonce).to.match(/^[\w-]{43}$/);
    expect(last('request').bodyBytes).to.equal(0);
  });

  it('sends the parameters that the definition adds, and stores the fields that it names', async () => {
    app.provider.next('authorize', { members: { shard: 'eu-1' } });
    app.provider.next('token', { members: { screen_name: 'ada' } });
    const token = await createSession(app, {
      integrations_config_defaults: { rich: { connection_config: { region: 'eu west' } } },
    });
    const walker = new WebWalker();
    const page = await enter(app, { key: 'rich', token, walker });
    const { searchParams } = new URL(page.headers.get('location') ?? '');
    expect(Object.fromEntries(searchParams)).to.deep.include({ expiration: 'never', region: 'eu west', scope: 'read,write' });
    mustBe(200, (await walker.follow(page.headers.get('location') ?? '')) as typeof page);

    const { body, headers, target } = last('request');
    expect(target).to.equal('/request_token?version=1&b=2');
    expect(Object.fromEntries(new URLSearchParams(body.toString()))).to.deep.equal({
      x_auth_access_type: 'write',
      note: 'a b&c=eu west',
    });
    expect(headers).to.include({ 'x-client': 'svc', 'content-type': 'application/x-www-form-urlencoded' });
    expect(new URLSearchParams(last('token').body.toString()).get('x_reverse')).to.equal('é + ~');
    // The provider refuses unsigned calls, so the verification call was signed.
    expect(last('api').target).to.equal('/api/me');

    const [newest] = await connectionsOf(app);
    const { body: record } = await readConnection(app, { connectionId: newest?.connection_id ?? '', key: 'rich' });
    expect(record.connection_config).to.deep.equal({ region: 'eu west', shard: 'eu-1', user_id: '42' });
  });

  it('reads tokens in JSON, too', async () => {
    const write = (members: object) => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...members, oauth_callback_confirmed: true, nested: { name: 'Ada' } }),
    });
    app.provider.next('request', { write });
    app.provider.next('token', { write });
    const { body } = await readConnection(app, await connect('rich', { region: 'eu' }));
    expect(body.connection_config).to.deep.equal({ region: 'eu', user_id: '42', 'nested.name': 'Ada' });
  });

  it('stores the secrets of a flow only encrypted', async () => {
    await returnFromProvider(app, { key: 'hmac-sha1' });
    expect(await app.database.db('authorization_flows').whereNull('used_at')).to.not.have.length(0);
    expect(sweep({ database: await app.database.dump() })).to.deep.equal([]);
  });

  it('gives a connection new credentials and leaves the rest', async () => {
    const connected = await connect('hmac-sha1');
    const { body: before } = await readConnection(app, connected);
    const token = await createReconnectSession(app, connected);
    mustBe(200, await authorize(app, { key: connected.key, token }));
    const { body: after } = await readConnection(app, connected);
    expect(after.credentials.oauth_token).to.not.equal(before.credentials.oauth_token);
    expect(after).to.deep.include({ id: before.id, tags: before.tags, created_at: before.created_at });
    mustBe(200, await throughProxy(app, connected, { path: '/me' }));
  });

  it('keeps the old credentials when authorizing again fails', async () => {
    const connected = await connect('hmac-sha1');
    const { body: before } = await readConnection(app, connected);
    const failures = [{ response: { status: 401, body: 'no' } }, { response: { status: 503 } }, { delivery: 'reset' }] as const;
    for (const failure of failures) {
      app.provider.next('token', failure);
      const back = await returnFromProvider(app, { key: connected.key, token: await createReconnectSession(app, connected) });
      expect((await finish(back)).status).to.equal(400);
      expect((await readConnection(app, connected)).body.credentials).to.deep.equal(before.credentials);
      mustBe(200, await throughProxy(app, connected, { path: '/me' }));
    }
  });

  it('keeps working when the secret of the app is rotated, during the flow and after it', async () => {
    const back = await returnFromProvider(app, { key: 'hmac-sha1' });
    const former = app.provider.clientSecret;
    app.provider.clientSecret = 'another secret of the consumer';
    try {
      const refused = await finish(back);
      expect(refused.status).to.equal(400);
      expect((await logOf(app, refused)).body.data.messages.at(-1).facts).to.deep.include({
        failure: 'token_exchange_failed',
        status: 401,
      });

      const again = await returnAfterRotation();
      expect((await finish(again)).status).to.equal(200);
      const [newest] = await connectionsOf(app);
      const connected = { connectionId: newest?.connection_id ?? '', key: 'hmac-sha1' };
      mustBe(200, await throughProxy(app, connected, { path: '/me' }));
    } finally {
      app.provider.clientSecret = former;
      await rotate(former);
    }
  });

  const rotate = async (secret: string) =>
    mustBe(200, await app.api.patch('/integrations/hmac-sha1', { credentials: { type: 'OAUTH1', client_secret: secret } }));

  async function returnAfterRotation() {
    await rotate(app.provider.clientSecret);
    return returnFromProvider(app, { key: 'hmac-sha1' });
  }

  it('signs with the app that authorized the connection, whatever app the integration has now', async () => {
    const connected = await connect('hmac-sha256');
    const change = (client_id: string, client_secret: string) =>
      app.api.patch('/integrations/hmac-sha256', { credentials: { type: 'OAUTH1', client_id, client_secret } });
    mustBe(200, await change('another-consumer', 'secret of another consumer'));
    mustBe(200, await throughProxy(app, connected, { path: '/me' }));
    expect(protocolOf(last('api'))).to.include({ oauth_consumer_key: app.provider.clientId });
    // New connections use the other app, which this provider does not know, so they cannot begin.
    expect((await enter(app, { key: 'hmac-sha256' })).status).to.equal(400);
    mustBe(200, await change(app.provider.clientId, app.provider.clientSecret));
  });

  it('is not possible where the definition has no URLs, except by import', async () => {
    const page = await enter(app, { key: 'bare' });
    expect(page.status).to.equal(400);
    expect(wordsOf(page)).to.be.a('string').and.not.equal('');
    const credentials = { type: 'OAUTH1', oauth_token: 'token-1', oauth_token_secret: 'imported secret' };
    mustBe(200, await app.api.post('/connections', { provider_config_key: 'bare', credentials }));
  });
});
