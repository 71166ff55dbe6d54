import { expect } from 'chai';
import { KeyRing, newKeyRingText } from '../../core/kit/key-ring.ts';
import { startApp } from '../support/app.ts';
import { rememberSecret } from '../support/canaries.ts';
import { createSession, readConnection, throughProxy } from '../support/connect.ts';
import { addSandbox, connectSandbox, decide, openSandbox, visitSandbox, WRONG_KEY } from '../support/sandbox.ts';
import { expectError } from '../support/std-error.ts';
import { enableWebhooks } from '../support/stored-webhooks.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

/** Longer than an access token of the sandbox lives. */
const LATER_MS = 30_000;

describe('the sandbox', function () {
  const app = use(this, () => startApp({ env: { SVC_OUTBOUND_ALLOW: '' } }));
  before(async () => {
    for (const slug of ['sandbox-oauth2', 'sandbox-api-key', 'sandbox-basic']) await addSandbox(app, slug);
  });

  it('connects an account with a name, without any registered app', async () => {
    const connected = await connectSandbox(app, { form: { person: 'grace' } });
    const { body } = await readConnection(app, connected);
    expect(body.connection_config).to.deep.equal({ account: 'grace' });
    expect((await throughProxy(app, connected, { path: '/me' })).body).to.deep.include({
      id: 'grace',
      name: 'Grace Hopper',
      email: 'grace@sandbox.example',
    });
  });

  it('expires tokens soon, and refreshes them in turn', async () => {
    const connected = await connectSandbox(app);
    const numberNow = async () => (await throughProxy(app, connected, { path: '/me' })).body.token.number;
    expect(await numberNow()).to.equal(1);
    app.clock.advance(LATER_MS);
    expect([await numberNow(), await numberNow()]).to.deep.equal([2, 2]);
    expect((await readConnection(app, connected, '&force_refresh=true')).status).to.equal(200);
    expect(await numberNow()).to.equal(3);
  });

  it('accepts the user demo with the password demo, and no other password', async () => {
    const { browser, page } = await openSandbox(app);
    const wrong = await decide(browser, page, { username: 'demo', password: 'wrong' });
    expect([wrong.status, /role="alert"/.test(wrong.text)]).to.deep.equal([400, true]);
    expect((await decide(browser, wrong, { username: 'demo', password: 'demo' })).status).to.equal(200);
  });

  it('returns a denial by the person, and errors that a test asks for', async () => {
    for (const visit of [{ form: { decision: 'deny' } }, { form: {} }] as const) {
      const page = await visitSandbox(app, visit);
      expect(page.status).to.equal(visit.form.decision === 'deny' ? 400 : 200);
    }
    for (const switches of [{ deny: '1' }, { error: 'temporarily_unavailable' }]) {
      const { page } = await openSandbox(app, { switches });
      expect(page.status, page.text).to.equal(400);
    }
  });

  it('fails as the person chooses', async () => {
    for (const [form, code] of [
      [{ outcome: 'fails_exchange' }, 'provider_unreachable'],
      [{ decision: 'deny' }, 'provider_denied'],
    ] as const) {
      expect((await visitSandbox(app, { form })).status).to.equal(400);
      const { body } = await app.api.get('/logs?status=failure&limit=1');
      expect(body.data[0].error_code).to.equal(code);
    }
    const connected = await connectSandbox(app, { form: { outcome: 'refuses_renewal' } });
    const refreshed = await readConnection(app, connected, '&force_refresh=true');
    expectError(refreshed, 'invalid_credentials');
  });

  it('separates its page from the window that opened it, if a test asks for that', async () => {
    const { page } = await openSandbox(app, { switches: { coop: 'same-origin' } });
    expect(page.headers.get('cross-origin-opener-policy')).to.equal('same-origin');
    expect((await openSandbox(app)).page.headers.get('cross-origin-opener-policy')).to.equal(null);
  });

  it('revokes the grant of a deleted connection', async () => {
    const connected = await connectSandbox(app);
    const generation = () => app.database.db('sandbox_grants').where({ generation: -1 }).count('id as count').first();
    const before = Number((await generation())?.['count']);
    await app.api.delete(`/connections/${connected.connectionId}?provider_config_key=${connected.key}`);
    await until('the grant is revoked', async () => Number((await generation())?.['count']) === before + 1);
  });

  it('sends a webhook for a note, which is forwarded', async () => {
    const connected = await connectSandbox(app);
    const created = await throughProxy(app, connected, { path: '/notes', method: 'POST', body: { text: 'Call Charles' } });
    expect([created.status, created.body.author]).to.deep.equal([201, 'Ada Lovelace']);
    await enableWebhooks(app.services.db, { on_new_connection: false });
    app.services.matching.start();
    const forwarded = async () => (await app.api.get('/webhook-messages?type=forward')).body.data;
    await until('it is forwarded', async () => (await forwarded()).length > 0);
  });

  it('goes on sending webhooks after the encryption keys were rotated', async () => {
    const connected = await connectSandbox(app);
    const { keys } = app.services;
    const former = keys.currentKeyId;
    keys.learn(KeyRing.parse(rememberSecret('encryption keys', newKeyRingText('rotated'))));
    keys.retire([former]);
    expect(keys.currentKeyId).to.equal('rotated');
    expect((await throughProxy(app, connected, { path: '/notes', method: 'POST', body: { text: 'Call Ada' } })).status).to.equal(
      201,
    );
    expect(app.logLines.filter((line) => line.includes('a webhook of the sandbox provider was rejected'))).to.deep.equal([]);
  });

  const typed = { 'sandbox-api-key': ['/api-auth/api-key', { apiKey: 'ada' }, { apiKey: WRONG_KEY }] } as const;
  for (const [key, [path, right, wrong]] of Object.entries({
    ...typed,
    'sandbox-basic': ['/api-auth/basic', { username: 'demo', password: 'demo' }, { username: 'demo', password: WRONG_KEY }],
  } as const)) {
    it(`verifies typed credentials: ${key}`, async () => {
      const connect = async (credentials: object) => {
        const token = await createSession(app, { allowed_integrations: [key] });
        return app.client().post(`${path}/${key}?connect_session_token=${token}`, credentials);
      };
      expect((await connect(wrong)).status).to.equal(400);
      const { status, body } = await connect(right);
      expect(status).to.equal(200);
      const notes = await throughProxy(app, { connectionId: body.connectionId, key }, { path: '/notes' });
      expect(notes.body).to.have.length(2);
    });
  }
});
