import { expect } from 'chai';
import { updateEnvironment } from '../../core/tenants/environments/environment-store.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { connectionsOf, createHonestIntegration, enter, finish, type Returning, wordsOf } from '../support/authorization.ts';
import { startCallbackHop } from '../support/callback-hop.ts';
import {
  type Connected,
  connectAgain,
  createIntegration,
  createSession,
  readConnection,
  throughProxy,
} from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { walkConsent } from '../support/honest-provider/consent.ts';
import { startHonestProvider } from '../support/honest-provider/honest-provider.ts';
import { startTenant } from '../support/tenant.ts';
import { use } from '../support/use.ts';
import { WebWalker } from '../support/web-walker.ts';

/** Walks from the URL that begins a flow until the provider has sent the browser back. */
async function walk(app: TestApp, key: string, choice: 'allow' | 'deny' = 'allow'): Promise<Returning> {
  const walker = new WebWalker();
  const { headers } = await enter(app, { key, walker });
  return { walker, callback: new URL(await walkConsent(walker, headers.get('location') ?? '', choice)) };
}

async function newest(app: TestApp, key: string): Promise<Connected> {
  const [connection] = await connectionsOf(app);
  return { connectionId: connection?.connection_id ?? '', key };
}

describe('an authorization at a strict provider (OAU-11)', function () {
  const app = use(this, startTenant);
  const provider = use(this, () => startHonestProvider({ redirectUris: [`${app.url}/oauth/callback`] }));

  before(async () => {
    await createHonestIntegration(app, provider, { key: 'basic', client: 'basic' });
    await createHonestIntegration(app, provider, { key: 'body', client: 'body' });
  });

  for (const key of ['basic', 'body']) {
    it(`ends with a connection that reads and calls, for a client that proves itself by ${key}`, async () => {
      const page = await finish(await walk(app, key));
      expect([page.status, wordsOf(page)]).to.deep.equal([
        200,
        'Connected Your Generic OAuth 2.0 account is connected. You can close this tab.',
      ]);
      const connected = await newest(app, key);
      const { body } = await readConnection(app, connected);
      expect(body.credentials).to.include({ type: 'OAUTH2' });
      const me = await throughProxy(app, connected, { path: '/me' });
      expect([me.status, me.body]).to.deep.equal([200, { id: 'ada', name: 'Ada' }]);
    });

    it(`lasts through three rotations of the refresh token, for a client that proves itself by ${key}`, async () => {
      await finish(await walk(app, key));
      const connected = await newest(app, key);
      const tokens = new Set<string>();
      for (let round = 0; round < 3; round += 1) {
        const { body } = await readConnection(app, connected, '&refresh_token=true&force_refresh=true');
        tokens.add(body.credentials.refresh_token);
        expect((await throughProxy(app, connected, { path: '/notes' })).status).to.equal(200);
      }
      expect(tokens.size).to.equal(3);
    });
  }

  it('stores nothing when the person says no, and can be tried again with the same link', async () => {
    const before = await connectionsOf(app);
    const token = await createSession(app);
    const walker = new WebWalker();
    const begin = async () => (await enter(app, { key: 'basic', token, walker })).headers.get('location') ?? '';

    const denied = await finish({ walker, callback: new URL(await walkConsent(walker, await begin(), 'deny')) });
    expect(denied.status).to.equal(400);
    expect(wordsOf(denied)).to.match(/^Not connected You didn’t allow access in Generic OAuth 2\.0, so nothing was connected\./);
    expect(denied.text).not.to.include('the person said no');
    expect(await connectionsOf(app)).to.have.length(before.length);

    const allowed = await finish({ walker, callback: new URL(await walkConsent(walker, await begin())) });
    expect(allowed.status).to.equal(200);
    expect(await connectionsOf(app)).to.have.length(before.length + 1);
  });

  it('refuses a stolen code in the flow of another person (OAU-04)', async () => {
    const before = await connectionsOf(app);
    const victim = await walk(app, 'basic');
    const thief = await walk(app, 'basic');
    const page = await finish(thief, { code: victim.callback.searchParams.get('code') ?? '' });
    expect(page.status).to.equal(400);
    expect(wordsOf(page)).to.include('accepted you but refused to finish');
    expect(await connectionsOf(app)).to.have.length(before.length);
  });
});

describe('a callback address of the environment’s own', () => {
  it('is sent to the provider and repeated in the exchange, and leads the browser back with its cookie', async () => {
    await using app = await startApp();
    await using hop = await startCallbackHop(app.url);
    await using provider = await startHonestProvider({ redirectUris: [hop.url] });
    await updateEnvironment(app.database.db, app.environmentId, { callback_url: hop.url });
    await createHonestIntegration(app, provider);

    const { walker, callback } = await walk(app, 'honest');
    expect(callback.origin + callback.pathname).to.equal(hop.url);
    const page = await walker.follow(callback.href);
    expect('status' in page && page.status).to.equal(200);
    expect((await throughProxy(app, await newest(app, 'honest'), { path: '/me' })).status).to.equal(200);
  });
});

describe('token requests', function () {
  const app = use(this, startTenant);
  for (const bodyFormat of ['form', 'json'] as const) {
    for (const clientAuth of ['basic', 'body'] as const) {
      it(`have a ${bodyFormat} body and carry the client by ${clientAuth} when the integration says so`, async () => {
        await using provider = await startFakeProvider({ bodyFormat, clientAuth });
        const config = { body_format: bodyFormat, token_request_auth_method: clientAuth };
        const key = await createIntegration(app, provider, { key: `${bodyFormat}-${clientAuth}`, config });
        const connected = await connectAgain(app, key);
        const { body } = await readConnection(app, connected, '&force_refresh=true');
        expect(provider.grants.isLive(body.credentials.access_token)).to.equal(true);
        expect(provider.ledger.of('token').map(({ status }) => status)).to.deep.equal([200, 200]);
      });
    }
  }
});
