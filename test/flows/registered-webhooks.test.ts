import { expect } from 'chai';
import { subscriptionWorker } from '../../core/connect/subscriptions/subscription-worker.ts';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { authorize, connectAgain, createSession, readConnection, reconnect } from '../support/connect.ts';
import { createTracker, FakeTracker } from '../support/fake-tracker.ts';
import { firstEnvironmentUuid } from '../support/hooked.ts';
import { withoutCalls } from '../support/operation-messages.ts';
import {
  registrationLog,
  runSubscriptions,
  storedSubscription,
  subscribeOne,
  waitingSubscriptions,
} from '../support/subscriptions.ts';
import { use } from '../support/use.ts';

const DAY_MS = 24 * 60 * 60_000;
const EVENTS = 'tracker:issue_created, issue_property_set,sprint_started,tracker:version_released,comment_created';

async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 400; tries += 1) {
    const found = await ask();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('it did not happen');
}

describe('webhooks that are registered at the issue tracker', function () {
  const tracker = use(this, () => FakeTracker.start());
  const app = use(this, startApp);

  before(async () => {
    await createTracker(app, tracker, { events: EVENTS, filter: 'project = ACME' });
    await createTracker(app, tracker, { key: 'silent' });
  });
  beforeEach(async () => {
    Object.assign(tracker, { hasScopes: true });
    tracker.always('api', {});
    tracker.registered.clear();
    tracker.ledger.entries.length = 0;
    await app.database.db('due_subscriptions').delete();
  });

  it('are registered once the connection exists, which stores them', async () => {
    const connected = await connectAgain(app, 'tracker');
    expect((await readConnection(app, connected)).body.connection_config).to.deep.equal({
      baseUrl: 'https://acme.tracker.example',
      cloudId: 'site-1',
    });
    expect(tracker.calls).to.deep.equal([]);

    expect(await runSubscriptions(app)).to.equal(1);
    const [call = expect.fail()] = tracker.calls;
    expect(tracker.calls).to.have.length(1);
    const { url, webhooks } = call.body as { url: string; webhooks: unknown };
    expect(webhooks).to.deep.equal([
      { events: ['tracker:issue_created', 'issue_property_set'], jqlFilter: 'project = ACME' },
      { events: ['sprint_started', 'tracker:version_released', 'comment_created'] },
    ]);
    const address = new URL(url);
    expect(address.origin + address.pathname).to.equal(`${app.url}/webhook/${await firstEnvironmentUuid(app)}/tracker`);
    expect([...address.searchParams.keys()]).to.deep.equal(['svcConnectionId', 'svcTag']);
    expect(address.searchParams.get('svcConnectionId')).to.equal(connected.connectionId);
    expect(address.searchParams.get('svcTag')).to.match(/^[0-9a-f]{64}$/);

    const { subscription, dueAt } = await storedSubscription(app, connected);
    expect(subscription['webhookIds']).to.deep.equal([...tracker.registered.keys()]);
    expect((dueAt?.getTime() ?? 0) - Date.now()).to.be.within(19.9 * DAY_MS, 20.1 * DAY_MS);
    const [log, ...others] = await registrationLog(app, connected);
    expect(others).to.deep.equal([]);
    expect(log).to.include({ operation: 'subscription', status: 'success' });
    expect(withoutCalls(log?.messages ?? expect.fail())).to.deep.equal([]);
  });

  it('are scheduled in the transaction that stores the connection', async () => {
    const before = (await waitingSubscriptions(app)).length;
    const token = await createSession(app, { allowed_integrations: ['tracker'] });
    tracker.sites = [];
    expect((await authorize(app, { key: 'tracker', token })).status).to.equal(400);
    tracker.sites = [{ id: 'site-1', url: 'https://acme.tracker.example/start' }];
    expect(await waitingSubscriptions(app)).to.have.length(before);
    const connected = await connectAgain(app, 'tracker');
    const { id } = await storedSubscription(app, connected);
    expect(await waitingSubscriptions(app)).to.have.length(1);
    expect((await waitingSubscriptions(app))[0]).to.include({ id, failures: 0 });
  });

  it('delay no authorization, however long the provider takes', async () => {
    await using own = await startApp();
    await createTracker(own, tracker, { events: EVENTS });
    await using worker = subscriptionWorker(own.services);
    worker.start();
    tracker.next('api', {}); // the response to the request for the list of sites
    const barrier = tracker.barrier('api');
    const connected = await connectAgain(own, 'tracker');
    await tracker.ledger.arrived('api', 2);
    expect((await storedSubscription(own, connected)).subscription).to.deep.equal({});
    barrier.open();
    await until(async () => ((await storedSubscription(own, connected)).subscription['webhookIds'] ? true : undefined));
  });

  it('are not registered where the integration names no events, and nothing is logged then', async () => {
    const connected = await connectAgain(app, 'silent');
    await runSubscriptions(app);
    expect(tracker.calls).to.deep.equal([]);
    expect((await storedSubscription(app, connected)).subscription).to.deep.equal({});
    expect(await registrationLog(app, connected)).to.deep.equal([]);
  });

  it('need two scopes: the log names them and what to do, and a new authorization tries again', async () => {
    tracker.hasScopes = false;
    const connected = await connectAgain(app, 'tracker');
    await runSubscriptions(app);
    const [log = expect.fail()] = await registrationLog(app, connected);
    expect(log.status).to.equal('failure');
    expect(withoutCalls(log.messages)[0]?.facts['reason'])
      .to.contain('read:tracker-work')
      .and.to.contain('manage:tracker-webhook')
      .and.to.match(/authorize again/);
    expect(await waitingSubscriptions(app)).to.deep.equal([]);

    tracker.hasScopes = true;
    await reconnect(app, connected);
    expect(await runSubscriptions(app)).to.equal(1);
    expect((await storedSubscription(app, connected)).subscription['webhookIds']).to.have.length(2);
    await reconnect(app, connected);
    expect(await runSubscriptions(app)).to.equal(0);
    expect(tracker.registered.size).to.equal(2);
  });

  it('are tried again after growing pauses while the provider is down, six times in all', async () => {
    const connected = await connectAgain(app, 'tracker');
    tracker.always('api', { response: { status: 503, body: 'nothing of this is to be seen' } });
    const pauses: number[] = [];
    while ((await runSubscriptions(app)) > 0) {
      const [waiting] = await waitingSubscriptions(app);
      if (waiting !== undefined) pauses.push(waiting.inSeconds);
    }
    expect(pauses).to.have.length(5);
    for (const [index, wait] of [60, 300, 1_800, 7_200, 36_000].entries())
      expect(pauses[index]).to.be.within(wait * 0.8 - 5, wait * 1.2);
    const log = await registrationLog(app, connected);
    expect(log.map(({ status }) => status)).to.deep.equal(Array.from({ length: 6 }, () => 'failure'));
    expect(JSON.stringify(log)).not.to.contain('nothing of this');
    expect((await readConnection(app, connected)).status).to.equal(200);
  });

  it('are registered by the waiting job when the provider is back', async () => {
    const connected = await connectAgain(app, 'tracker');
    tracker.next('api', { delivery: 'reset' });
    await runSubscriptions(app);
    expect((await storedSubscription(app, connected)).subscription).to.deep.equal({});
    await runSubscriptions(app);
    expect((await storedSubscription(app, connected)).subscription['webhookIds']).to.have.length(2);
  });

  it('are registered with a refreshed token if the stored one has expired meanwhile', async () => {
    const connected = await connectAgain(app, 'tracker');
    const { id } = await storedSubscription(app, connected);
    await app.database
      .db('connections')
      .where({ id })
      .update({ expires_at: app.database.db.raw(`now() - interval '1 minute'`) });
    await runSubscriptions(app);
    expect(tracker.calls.map(({ entry }) => entry.presented?.generation)).to.deep.equal([1]);
  });

  it('stay with the connection whatever is done to it', async () => {
    const connected = await connectAgain(app, 'tracker');
    await runSubscriptions(app);
    const before = await storedSubscription(app, connected);
    const set = { connection_id: connected.connectionId, provider_config_key: 'tracker', metadata: { webhookIds: [1] } };
    expect((await app.api.post('/connections/metadata', set)).status).to.equal(200);
    const imported = await app.api.post('/connections', {
      provider_config_key: 'tracker',
      connection_id: connected.connectionId,
      connection_config: { webhookIds: [2] },
      credentials: { type: 'OAUTH2', access_token: canary('imported token'), expires_at: '2020-01-01T00:00:00Z' },
    });
    expect(imported.status, imported.text).to.equal(200);
    await reconnect(app, connected);
    expect(await storedSubscription(app, connected)).to.deep.equal(before);
    expect(JSON.stringify((await readConnection(app, connected)).body)).not.to.contain('expiresAt":"20');
  });

  it('stay registered only once, even if two registrations run at the same time', async () => {
    const connected = await connectAgain(app, 'tracker');
    const { id } = await storedSubscription(app, connected);
    const barrier = tracker.barrier('api');
    const both = Promise.all([subscribeOne(app, id), subscribeOne(app, id)]);
    await barrier.arrived(2);
    barrier.open();
    await both;
    expect(tracker.calls.map(({ method }) => method).toSorted()).to.deep.equal(['DELETE', 'POST', 'POST']);
    const { subscription } = await storedSubscription(app, connected);
    expect([...tracker.registered.keys()]).to.deep.equal(subscription['webhookIds']);
  });

  it('are removed again when the connection was deleted meanwhile', async () => {
    const connected = await connectAgain(app, 'tracker');
    const { id } = await storedSubscription(app, connected);
    const barrier = tracker.barrier('api');
    const registering = subscribeOne(app, id);
    await barrier.arrived(1);
    const deleted = await app.api.delete(`/connections/${connected.connectionId}?provider_config_key=tracker`);
    expect(deleted.status).to.equal(200);
    barrier.open();
    await registering;
    expect(tracker.calls.map(({ method }) => method)).to.deep.equal(['POST', 'DELETE']);
    expect(tracker.registered.size).to.equal(0);
    await subscribeOne(app, id);
    expect(tracker.calls).to.have.length(2);
  });
});
