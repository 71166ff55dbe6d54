import { expect } from 'chai';
import { deleteConnection } from '../../core/connect/deletion/connection-deleting.ts';
import { eraseMarked } from '../../core/connect/deletion/erase-marked.ts';
import { requireConnection } from '../../core/connections/connections.ts';
import { requireIntegration } from '../../core/connections/integrations/integrations.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { type Connected, connectAgain, readConnection } from '../support/connect.ts';
import { createScheduler, FakeScheduler } from '../support/fake-scheduler.ts';
import { createTracker, FakeTracker } from '../support/fake-tracker.ts';
import { makeFolders } from '../support/folders.ts';
import { serve } from '../support/loopback-server.ts';
import { withoutCalls } from '../support/operation-messages.ts';
import { expectError } from '../support/std-error.ts';
import { storeConnection, storeTenant } from '../support/stored.ts';
import {
  callSubscriptions,
  makeDue,
  registrationLog,
  runSubscriptions,
  storedSubscription,
  waitingSubscriptions,
} from '../support/subscriptions.ts';
import { use } from '../support/use.ts';

const NEVER = new AbortController().signal;

async function deletionLog(app: TestApp, connectionId: string) {
  await app.services.activity.flush();
  return app.database.db('operation_log').where({ type: 'deletion', connection_id: connectionId }).first();
}

describe('webhooks of a connection that is deleted', function () {
  const tracker = use(this, () => FakeTracker.start());
  const scheduler = use(this, () => FakeScheduler.start());
  const app = use(this, startApp);

  before(async () => {
    await createTracker(app, tracker, { events: 'sprint_started' });
    await createScheduler(app, scheduler);
  });
  beforeEach(() => {
    for (const server of [tracker, scheduler]) {
      server.always('api', {});
      server.always('token', {});
    }
    tracker.ledger.entries.length = 0;
    tracker.registered.clear();
  });

  const remove = ({ connectionId, key }: Connected) => app.api.delete(`/connections/${connectionId}?provider_config_key=${key}`);

  async function registered(key = 'tracker'): Promise<Connected> {
    const connected = await connectAgain(app, key);
    await runSubscriptions(app);
    expect((await storedSubscription(app, connected)).subscription).not.to.deep.equal({});
    return connected;
  }

  async function expire({ connectionId }: Connected): Promise<void> {
    const { db } = app.database;
    await db('connections')
      .where({ connection_id: connectionId })
      .update({ expires_at: db.raw(`now() - interval '1 minute'`) });
  }

  const expectNothingSaid = async ({ connectionId }: Connected) => {
    const { status, messages } = await deletionLog(app, connectionId);
    expect([status, withoutCalls(messages)]).to.deep.equal(['success', []]);
  };
  const removals = () => tracker.calls.filter(({ method }) => method === 'DELETE');

  it('are removed at the provider, once', async () => {
    const connected = await registered();
    const ids = [...tracker.registered.keys()];
    expect((await remove(connected)).status).to.equal(200);
    expect(removals().map(({ path, body }) => ({ path, body }))).to.deep.equal([
      { path: '/rest/api/3/webhook', body: { webhookIds: ids } },
    ]);
    expect(tracker.registered.size).to.equal(0);
    await expectNothingSaid(connected);
    expectError(await readConnection(app, connected), 'unknown_connection');
  });

  it('are removed by their own ID at the scheduling provider', async () => {
    const connected = await registered('calendar');
    const { subscription } = await storedSubscription(app, connected);
    await remove(connected);
    expect(scheduler.deleted).to.deep.equal([subscription['id']]);
    expect([...scheduler.webhooks.keys()]).not.to.include(subscription['id']);
  });

  it('are not removed where none were registered', async () => {
    const connected = await connectAgain(app, 'tracker');
    expect((await remove(connected)).status).to.equal(200);
    expect(removals()).to.deep.equal([]);
  });

  for (const [fault, behaviour] of Object.entries({
    'responds with 500': { response: { status: 500, body: 'a secret of the provider' } },
    'refuses the token': { response: { status: 401 } },
    'breaks off': { delivery: 'reset' },
  } as const)) {
    it(`do not stop the deletion when the provider ${fault}, and the log says that they remain`, async () => {
      const connected = await registered();
      tracker.always('api', behaviour);
      expect((await remove(connected)).status).to.equal(200);
      expect(removals()).to.have.length(1);
      const { status, messages: all } = await deletionLog(app, connected.connectionId);
      const messages = withoutCalls(all);
      expect(status).to.equal('success');
      expect(messages).to.have.length(1);
      expect(messages[0]).to.deep.include({ level: 'warn', message: 'the plugin could not clean up at the provider' });
      expect(JSON.stringify(messages)).not.to.contain('a secret of the provider');
      expectError(await readConnection(app, connected), 'unknown_connection');
    });
  }

  it('are removed with a valid token: an expired one is refreshed for that, and not stored', async () => {
    const connected = await registered();
    await expire(connected);
    expect((await remove(connected)).status).to.equal(200);
    expect(removals().map(({ entry }) => [entry.presented?.generation, entry.status])).to.deep.equal([[1, 202]]);
    expect(tracker.registered.size).to.equal(0);
  });

  it('are removed with the stored token if it cannot be refreshed', async () => {
    const connected = await registered();
    await expire(connected);
    tracker.always('token', { response: { status: 400, body: JSON.stringify({ error: 'invalid_grant' }) } });
    expect((await remove(connected)).status).to.equal(200);
    expect(removals().map(({ entry }) => entry.presented?.generation)).to.deep.equal([0]);
    const { messages } = await deletionLog(app, connected.connectionId);
    expect(withoutCalls<{ message: string; facts: Record<string, unknown> }>(messages)[0]?.message).to.contain(
      'could not be refreshed',
    );
  });

  it('are removed if they exist when it is marked deleted, even if they were read before they existed', async () => {
    const connected = await connectAgain(app, 'tracker');
    const address = { environmentId: 1, providerConfigKey: 'tracker', connectionId: connected.connectionId };
    const stale = await requireConnection(app.services, address);
    await runSubscriptions(app);
    expect(stale.subscription).to.deep.equal({});
    const integration = await requireIntegration(app.services, 1, 'tracker');
    const audit = { source: { actor: { kind: 'system' } }, accountId: 1 } as const;
    await deleteConnection(app.services, stale, { integration, audit });
    expect(removals()).to.have.length(1);
    expect(tracker.registered.size).to.equal(0);
  });

  it('are removed for all connections when their integration is deleted', async () => {
    await createTracker(app, tracker, { key: 'ending', events: 'sprint_started' });
    const [one, other] = [await registered('ending'), await registered('ending')];
    await expire(other);
    const { id } = await app.database.db('integrations').where({ unique_key: 'ending' }).first();
    expect((await app.api.delete('/integrations/ending')).status).to.equal(200);
    expect(removals()).to.deep.equal([]);
    await eraseMarked(app.services, { environmentId: 1, integrationId: id }, NEVER);
    expect(removals()).to.have.length(2);
    expect(tracker.registered.size).to.equal(0);
    for (const connected of [one, other]) await expectNothingSaid(connected);
  });

  it('are removed for all connections when their environment is deleted', async () => {
    const tenant = await storeTenant(app, 'ending');
    await createTracker(tenant, tracker, { events: 'sprint_started' });
    await connectAgain({ url: app.url, api: tenant.api }, 'tracker');
    await runSubscriptions(app);
    expect(tracker.registered.size).to.equal(1);
    const account = app.client(app.accountKey);
    expect((await account.delete(`/environments/${tenant.environmentId}`)).status).to.be.below(300);
    await eraseMarked(app.services, { environmentId: tenant.environmentId }, NEVER);
    expect(removals()).to.have.length(1);
    expect(tracker.registered.size).to.equal(0);
  });
});

/** A plugin that returns the test server's responses as registrations, so that a test can choose invalid ones. */
const ODD_PLUGIN = `
import type { ProviderPlugin } from '#contract';

const call = async ({ fetch, integrationConfig, tokens }, path, body) => {
  const response = await fetch(String(integrationConfig.server) + path, {
    method: 'POST', headers: { authorization: 'Bearer ' + tokens.accessToken }, body: JSON.stringify(body),
  });
  return response.json();
};

export default {
  contract: 1,
  subscriptions: {
    subscribe: async (ctx, { url, secret }) => {
      const said = await call(ctx, '/subscribe', { url });
      if (said?.throws) throw new Error('the provider wants ' + secret + ' at ' + url + ' and ' + ctx.tokens.accessToken);
      if (said?.bigint) return { id: 'bigint', value: 1n as never };
      return said;
    },
    renew: { everyDays: 1, run: async (ctx) => call(ctx, '/renew', ctx.subscription) },
    unsubscribe: async (ctx) => void (await call(ctx, '/unsubscribe', ctx.subscription)),
  },
} satisfies ProviderPlugin;
`;
const ODD_PROVIDER = {
  display_name: 'Odd',
  docs: 'https://docs.example.com',
  auth_mode: 'OAUTH2',
  authorization_url: 'https://auth.example/authorize',
  token_url: 'https://auth.example/token',
  integration_config: { server: { type: 'string', title: 'Server', format: 'uri' } },
};

describe('the registration that a plugin returns', function () {
  const removed: unknown[] = [];
  const asked: string[] = [];
  let registration: unknown = {};
  const folders = use(this, () =>
    makeFolders({ 'odd/plugin.ts': ODD_PLUGIN, 'odd/provider.json': JSON.stringify(ODD_PROVIDER) }),
  );
  const server = use(this, () =>
    serve(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      asked.push(request.url ?? '');
      if (request.url === '/unsubscribe') removed.push(JSON.parse(body));
      response.end(JSON.stringify(registration));
    }),
  );
  const app = use(this, () => startApp({ env: { SVC_PLUGINS_DIR: folders.path } }));

  before(async () => {
    const created = await app.api.post('/integrations', {
      unique_key: 'odd',
      provider: 'odd',
      credentials: { client_id: 'client', client_secret: canary('client secret'), webhook_secret: canary('webhook secret') },
      integration_config: { server: server.url },
    });
    expect(created.status, created.text).to.equal(200);
  });
  beforeEach(() => {
    removed.length = 0;
    asked.length = 0;
  });

  async function subscribed(said: unknown): Promise<Connected> {
    registration = said;
    const connected = await storeConnection(app, { key: 'odd' });
    await makeDue(app, connected);
    await callSubscriptions(app);
    return connected;
  }

  for (const [fault, said] of Object.entries({
    'more than 16 KB': { id: 1, text: 'x'.repeat(16 * 1024) },
    'a zero that the database cannot hold': { id: 2, text: 'a\u0000b' },
    'half of a character': { id: 3, text: 'a\ud800b' },
    'a number that is no JSON': { bigint: true },
  })) {
    it(`is not stored when it contains ${fault}, but removed at the provider and not repeated`, async () => {
      const connected = await subscribed(said);
      expect((await storedSubscription(app, connected)).subscription).to.deep.equal({});
      const [log = expect.fail()] = await registrationLog(app, connected);
      expect(log.status).to.equal('failure');
      expect(withoutCalls(log.messages)[0]?.facts['reason']).to.contain('cannot be stored');
      // A big integer cannot be sent as JSON, so the plugin cannot request the removal of a registration that contains one.
      if (!('bigint' in said)) expect(removed).to.have.length(1);
      expect(await waitingSubscriptions(app)).to.deep.equal([]);
    });
  }

  for (const said of [[1], 'text', null, 7]) {
    it(`is refused when it is ${JSON.stringify(said)}`, async () => {
      const connected = await subscribed(said);
      expect((await storedSubscription(app, connected)).subscription).to.deep.equal({});
      expect(removed).to.deep.equal([]);
      expect((await registrationLog(app, connected))[0]?.status).to.equal('failure');
    });
  }

  it('puts no secret into a log when it is an error', async () => {
    const connected = await subscribed({ throws: true });
    expect(app.logLines.filter((line) => line.includes('the provider wants [redacted]'))).to.have.length.of.at.least(1);
    const [log = expect.fail()] = await registrationLog(app, connected);
    expect(JSON.stringify(log)).not.to.contain('the provider wants');
    expect(await waitingSubscriptions(app)).to.have.length(1);
  });

  it('is renewed as often as the plugin says', async () => {
    const connected = await subscribed({ id: 'kept' });
    await app.database.db('connections').update({ expires_at: null });
    await app.clock.advance(23 * 3_600_000, app.database.db);
    await callSubscriptions(app);
    expect(asked).to.deep.equal(['/subscribe']);
    await app.clock.advance(2 * 3_600_000, app.database.db);
    registration = { id: 'renewed' };
    await callSubscriptions(app);
    expect(asked).to.deep.equal(['/subscribe', '/renew']);
    expect((await storedSubscription(app, connected)).subscription).to.deep.equal({ id: 'renewed' });
  });
});
