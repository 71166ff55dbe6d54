import { expect } from 'chai';
import { startMaintenance } from '../../core/operate/maintenance.ts';
import { startApp } from '../support/app.ts';
import { type Connected, connectAgain } from '../support/connect.ts';
import { createTracker, FakeTracker } from '../support/fake-tracker.ts';
import { withoutCalls } from '../support/operation-messages.ts';
import { size } from '../support/size.ts';
import { storeConnection } from '../support/stored.ts';
import { callSubscriptions, registrationLog, runSubscriptions, storedSubscription } from '../support/subscriptions.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const DAY_MS = 24 * 60 * 60_000;
/** More registrations than the service reads with one query. */
const MANY = size(230, 5_000);

describe('registrations that expire', function () {
  const tracker = use(this, () => FakeTracker.start());
  const app = use(this, startApp);

  before(() => createTracker(app, tracker, { events: 'tracker:issue_created,sprint_started', filter: 'project = ACME' }));
  beforeEach(async () => {
    tracker.always('api', {});
    tracker.always('token', {});
    await app.database.db('connections').delete();
    tracker.registered.clear();
    tracker.ledger.entries.length = 0;
  });

  async function registered(): Promise<Connected> {
    const connected = await connectAgain(app, 'tracker');
    await runSubscriptions(app);
    return connected;
  }

  const renewals = () => tracker.calls.filter(({ method }) => method === 'PUT');
  const pass = (days: number) => app.clock.advance(days * DAY_MS, app.database.db);

  async function dueInDays(connected: Connected): Promise<number> {
    const { dueAt } = await storedSubscription(app, connected);
    return ((dueAt?.getTime() ?? Number.NaN) - Date.now()) / DAY_MS;
  }

  it('are renewed after 20 of their 30 days, and again after 20 more', async () => {
    const connected = await registered();
    const ids = [...tracker.registered.keys()];
    await pass(19.9);
    expect(await callSubscriptions(app)).to.equal(0);
    for (const times of [1, 2]) {
      await pass(times === 1 ? 0.2 : 20.1);
      expect(await callSubscriptions(app)).to.equal(1);
      expect(renewals()).to.have.length(times);
      expect(await dueInDays(connected)).to.be.closeTo(20, 0.01);
    }
    expect(renewals()[0]).to.deep.include({ path: '/rest/api/3/webhook/refresh', body: { webhookIds: ids } });
    expect((await storedSubscription(app, connected)).subscription['webhookIds']).to.deep.equal(ids);
    expect([...tracker.registered.values()].map((one) => one.renewals)).to.deep.equal([2, 2]);
    const log = (await registrationLog(app, connected)).map(({ operation, status }) => [operation, status]);
    expect(log).to.deep.equal([['subscription', 'success'], ...Array.from({ length: 2 }, () => ['renewal', 'success'])]);
  });

  it('are renewed with a valid token', async () => {
    await registered();
    await pass(20.1);
    await callSubscriptions(app);
    expect(renewals().map(({ entry }) => [entry.presented?.generation, entry.status])).to.deep.equal([[1, 200]]);
  });

  it('are renewed a day after each failure, and the failures are logged', async () => {
    const connected = await registered();
    await pass(20.1);
    tracker.always('api', { response: { status: 503, body: 'nothing of this is to be seen' } });
    for (const days of [1, 2, 3]) {
      expect(await callSubscriptions(app)).to.equal(1);
      expect(await callSubscriptions(app)).to.equal(0);
      expect(await dueInDays(connected)).to.be.closeTo(1, 0.01);
      expect(renewals()).to.have.length(days);
      await pass(1.01);
    }
    const log = (await registrationLog(app, connected)).filter(({ operation }) => operation === 'renewal');
    expect(log.map(({ status }) => status)).to.deep.equal(['failure', 'failure', 'failure']);
    expect(withoutCalls(log[0]?.messages ?? [])[0]?.facts['reason']).to.contain('responded with 503');
    expect(JSON.stringify(log)).not.to.contain('nothing of this');

    tracker.always('api', {});
    expect(await callSubscriptions(app)).to.equal(1);
    expect(await dueInDays(connected)).to.be.closeTo(20, 0.01);
  });

  it('wait for the user when the authorization is over', async () => {
    const connected = await registered();
    await pass(20.1);
    tracker.grants.revoke(0);
    tracker.always('token', { response: { status: 400, body: JSON.stringify({ error: 'invalid_grant' }) } });
    expect(await callSubscriptions(app)).to.equal(1);
    expect(renewals()).to.deep.equal([]);
    const log = (await registrationLog(app, connected)).at(-1);
    expect(log?.messages[0].facts.reason).to.contain('the user must authorize again');
    expect(await dueInDays(connected)).to.be.closeTo(1, 0.01);
  });

  it('are created anew if the provider has lost them', async () => {
    const connected = await registered();
    const lost = [...tracker.registered.keys()];
    tracker.registered.clear();
    await pass(20.1);
    expect(await callSubscriptions(app), 'a renewal, and a registration').to.equal(2);
    const { subscription } = await storedSubscription(app, connected);
    expect(subscription['webhookIds'])
      .to.deep.equal([...tracker.registered.keys()])
      .and.not.to.deep.equal(lost);
    expect(await dueInDays(connected)).to.be.closeTo(20, 0.01);
  });

  it('leave nothing behind when the connection is deleted during the renewal', async () => {
    const connected = await registered();
    await pass(20.1);
    const barrier = tracker.barrier('api');
    const calling = callSubscriptions(app);
    await barrier.arrived(1);
    const deleting = app.api.delete(`/connections/${connected.connectionId}?provider_config_key=tracker`);
    await barrier.arrived(2);
    barrier.open();
    expect([await calling, (await deleting).status]).to.deep.equal([1, 200]);
    expect(tracker.registered.size).to.equal(0);
    expect(await app.database.db('connections').where({ connection_id: connected.connectionId })).to.deep.equal([]);
    expect(await runSubscriptions(app)).to.equal(0);
  });

  it('are each renewed by one of two workers', async () => {
    await registered();
    await registered();
    await pass(20.1);
    await Promise.all([callSubscriptions(app), callSubscriptions(app)]);
    expect(renewals()).to.have.length(2);
    expect([...tracker.registered.values()].map((one) => one.renewals)).to.deep.equal([1, 1, 1, 1]);
  });

  it(`are all renewed, however many there are: ${MANY}`, async function () {
    this.timeout(size(20_000, 300_000));
    tracker.settings.openApi = true;
    const stored = Array.from({ length: MANY }, () => storeConnection(app, { key: 'tracker' }));
    await Promise.all(stored);
    const { db } = app.database;
    await db('connections').update({ subscription: db.raw(`jsonb_build_object('webhookIds', jsonb_build_array(id))`) });
    await db.raw(
      `insert into due_subscriptions (connection_id, environment_id, integration_id, due_at)
       select id, environment_id, integration_id, now() - interval '1 minute' from connections`,
    );
    const ids: number[] = await db('connections').pluck('id');
    for (const id of ids) tracker.registered.set(id, { url: '', events: [], renewals: 0 });
    await db('connections').where({ id: ids[0] }).update({ deleted_at: db.fn.now() });
    expect(await callSubscriptions(app)).to.equal(MANY);
    expect([...tracker.registered.values()].filter((one) => one.renewals === 1)).to.have.length(MANY - 1);
    tracker.settings.openApi = false;
  });

  it('are renewed by the service itself', async () => {
    await registered();
    await startMaintenance(app.services);
    await pass(20.1);
    await until('it is renewed', () => renewals().length === 1);
  });
});
