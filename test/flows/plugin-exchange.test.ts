import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { type Connected, mustBe, readConnection, throughProxy } from '../support/connect.ts';
import { refreshDue } from '../support/due-work.ts';
import { FakeMeta } from '../support/fake-meta.ts';
import { walkThrough } from '../support/named-service.ts';
import { storedConnection } from '../support/stored-connection.ts';
import { TestNet } from '../support/test-net.ts';
import { use } from '../support/use.ts';

const DAY_MS = 86_400_000;
const CALLS = {
  facebook: {
    exchange: ['GET graph.facebook.com/oauth/access_token', 'GET graph.facebook.com/oauth/access_token fb_exchange_token'],
    renewal: 'GET graph.facebook.com/oauth/access_token fb_exchange_token',
  },
  instagram: {
    exchange: [
      'POST api.instagram.com/oauth/access_token authorization_code',
      'GET graph.instagram.com/access_token ig_exchange_token',
    ],
    renewal: 'GET graph.instagram.com/refresh_access_token ig_refresh_token',
  },
} as const;

describe('tokens that a plugin exchanges and refreshes', function () {
  this.timeout(60_000);
  const net = new TestNet();
  const meta = use(this, () => FakeMeta.start(net));
  const app = use(this, () => startApp({ net, env: { SVC_OUTBOUND_ALLOW: '' } }));

  before(async () => {
    for (const key of Object.keys(CALLS)) {
      const credentials = { type: 'OAUTH2', client_id: meta.clientId, client_secret: meta.clientSecret };
      mustBe(200, await app.api.post('/integrations', { unique_key: key, provider: key, credentials }));
    }
  });
  beforeEach(() => void meta.called.splice(0));

  async function connect(key: string): Promise<Connected> {
    const page = await walkThrough(app, net, { key });
    expect(page.status, page.text).to.equal(200);
    const { body } = await app.api.get('/connections?limit=1');
    return { connectionId: body.connections[0].connection_id, key };
  }

  for (const [key, { exchange, renewal }] of Object.entries(CALLS)) {
    describe(`of ${key}`, () => {
      it('are long-lived, and belong to the user who logged in', async () => {
        const connected = await connect(key);
        const { body } = await readConnection(app, connected);
        expect(meta.called).to.deep.equal(exchange);
        expect(body.credentials).to.include({ type: 'OAUTH2', access_token: meta.issued.at(-1) });
        expect(Date.parse(body.credentials.expires_at) - Date.now()).to.be.within(59 * DAY_MS, 60 * DAY_MS);
        const health = await app.api.get(`/connections/${connected.connectionId}/health?provider_config_key=${key}`);
        expect(health.body.data.provider_account).to.deep.include({ id: '1' });
      });

      it('are refreshed by the sweep every day, without a refresh token', async () => {
        const connected = await connect(key);
        expect((await storedConnection(app.database.db, connected)).refreshable).to.equal(true);
        const before = meta.issued.at(-1);
        await app.clock.advance(DAY_MS + 60_000, app.database.db);
        meta.called.splice(0);
        await refreshDue(app.services);
        expect(meta.called).to.include(renewal);
        const { body } = await readConnection(app, connected);
        expect(body.credentials.access_token).to.not.equal(before);
        expect(body.credentials).to.not.have.property('refresh_token');
        expect((await storedConnection(app.database.db, connected)).refreshable).to.equal(true);
      });

      it('are refreshed on demand, and the new ones work', async () => {
        const connected = await connect(key);
        const forced = await readConnection(app, connected, '&force_refresh=true');
        expect(forced.body.credentials.access_token).to.equal(meta.issued.at(-1));
        const { status, body } = await throughProxy(app, connected, { path: '/me' });
        expect([status, body.id]).to.deep.equal([200, '1']);
      });

      it('stay while the provider issues no new ones, and need the user when it says that they are revoked', async () => {
        const connected = await connect(key);
        meta.instead.push({ status: 400, body: { error: { code: 4, message: 'too many calls' } } });
        const limited = await readConnection(app, connected, '&force_refresh=true');
        expect([limited.status, limited.headers.get('svc-refresh')]).to.deep.equal([200, 'failed; code=provider_unavailable']);

        meta.revoke();
        const over = await readConnection(app, connected, '&force_refresh=strict');
        expect([over.status, over.body.error.code]).to.deep.equal([424, 'invalid_credentials']);
      });

      it('are not stored when the exchange fails half-way, and the page says so', async () => {
        const before = await app.database.db('connections').count();
        meta.instead.push({ status: 400, body: { error: { code: 100, message: meta.clientSecret } } });
        const page = await walkThrough(app, net, { key });
        expect(page.status).to.equal(400);
        expect(page.text)
          .to.match(/authorization/i)
          .and.to.not.contain(meta.clientSecret);
        expect(await app.database.db('connections').count()).to.deep.equal(before);
      });

      it('are refreshed after an import, too', async () => {
        const { body } = await readConnection(app, await connect(key));
        const credentials = { type: 'OAUTH2', access_token: body.credentials.access_token };
        const imported = await app.api.post('/connections', { provider_config_key: key, credentials });
        mustBe(200, imported);
        const connected = { connectionId: imported.body.connection_id, key };
        expect((await storedConnection(app.database.db, connected)).refreshable).to.equal(true);
      });
    });
  }
});
