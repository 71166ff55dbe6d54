import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { signedInAs, type TestMember } from '../support/dashboard/members.ts';
import { connectSandbox } from '../support/sandbox.ts';
import { use } from '../support/use.ts';

const KEY = 'sandbox';

describe('the quick start', function () {
  const app = use(this, startApp);
  let person: TestMember;
  let connectionId = '';

  before(async () => {
    person = await signedInAs(app, 'developer');
  });

  const steps = async () => (await person.ui.get('/api/ui/e/dev/onboarding')).body.data;

  it('begins with nothing but the key that was created with the environment', async () => {
    expect(await steps()).to.deep.equal({
      api_key: { name: 'Default - Full access', last4: app.apiKey.slice(-4) },
      integration: null,
      application: null,
      connection: null,
      webhook: null,
      has_webhook_url: false,
      on_new_connection: false,
      is_webhook_paused: false,
      webhook_held_until: null,
      has_received: false,
      has_proxied: false,
    });
  });

  it('ticks the application once it has a name', async () => {
    expect((await person.ui.patch('/api/ui/e/dev/connect-ui', { brand_name: 'Northwind' })).status).to.equal(200);
    expect((await steps()).application).to.equal('Northwind');
  });

  it('ticks the integration, the connection and its webhook once they exist', async () => {
    expect((await person.ui.post('/api/ui/e/dev/integrations', { unique_key: KEY, provider: 'sandbox-oauth2' })).status).to.equal(
      200,
    );
    await app.database.db('environments').update({ webhook_url: 'https://app.example/webhooks', on_new_connection: true });
    ({ connectionId } = await connectSandbox(app, { key: KEY }));
    const { integration, connection, webhook, has_received: hasReceived } = await steps();
    expect(integration).to.equal(KEY);
    expect(connection).to.deep.equal({
      connection_id: connectionId,
      provider_config_key: KEY,
      provider: 'sandbox-oauth2',
      auth_mode: 'OAUTH2',
    });
    expect(webhook).to.deep.include({ type: 'auth', status: 'pending', last_attempt: null });
    expect(hasReceived, 'nothing has arrived').to.equal(false);
  });

  it('ticks the webhook once one has been delivered, whatever becomes of the next', async () => {
    const { db } = app.database;
    const [{ id }] = await db('webhook_messages').update({ status: 'delivered' }).returning('id');
    const attempt = { message_id: id, at: new Date(), url: 'https://app.example/webhooks', duration_ms: 12, is_replay: false };
    await db('webhook_attempts').insert({ ...attempt, status: 204 });
    expect((await steps()).webhook).to.deep.include({ status: 'delivered' });
    expect((await steps()).webhook.last_attempt).to.include({ status: 204, error: null });
    await person.ui.post('/api/ui/e/dev/webhook-messages/test', { type: 'auth' });
    const { webhook, has_received: hasReceived } = await steps();
    expect([webhook.status, hasReceived]).to.deep.equal(['pending', true]);
    const open_until = db.raw(`now() + interval '1 minute'`);
    await db('webhook_targets').where({ slot: 'primary' }).update({ open_until, paused_at: new Date() });
    expect(await steps()).to.include({ has_webhook_url: true, on_new_connection: true, is_webhook_paused: true });
    expect((await steps()).webhook_held_until).to.be.a('string');
  });

  it('ticks the call once it is tried on the page, and is complete then', async () => {
    const call = { connection_id: connectionId, provider_config_key: KEY, method: 'GET', path: '/me' };
    expect((await person.ui.post('/api/ui/e/dev/proxy-try', call)).body.data.status).to.equal(200);
    expect((await steps()).has_proxied).to.equal(true);
  });

  it('shows the last characters of the newest key with full access, and ignores expired keys', async () => {
    const { db } = app.database;
    const { id } = await db('api_keys').where({ environment_id: 1 }).first('id');
    const make = async (name: string, scopes: readonly string[]) =>
      (await person.ui.post('/api/ui/e/dev/keys', { name, scopes })).body.data;
    const narrow = await make('reader', ['environment:logs:read']);
    expect((await steps()).api_key).to.include({ name: 'Default - Full access' });
    const full = await make('by hand', ['environment:*']);
    expect((await steps()).api_key).to.deep.equal({ name: 'by hand', last4: full.secret.slice(-4) });
    const past = { expires_at: new Date(app.clock.now().getTime() - 1_000) };
    await db('api_keys').whereIn('id', [id, full.id]).update(past);
    expect((await steps()).api_key).to.deep.equal({ name: 'reader', last4: narrow.secret.slice(-4) });
    await db('api_keys').where({ id: narrow.id }).update(past);
    expect(await steps()).to.include({ api_key: null });
  });
});
