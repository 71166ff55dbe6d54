import { expect } from 'chai';
import type { Knex } from 'knex';
import { claimScript } from '../../../core/scripts/script-queue-store.ts';
import { deleteUnusedPayloads } from '../../../core/webhook-delivery/payload-store.ts';
import { startApp } from '../../support/app.ts';
import { size } from '../../support/size.ts';
import { storeConnection, storeReceiver, storeTenant, type Tenant } from '../../support/stored.ts';
import { storeScript } from '../../support/stored-script.ts';
import { until } from '../../support/until.ts';
import { useEach } from '../../support/use.ts';

const MANY = size(2_000, 10_000);
const FEW = 20;
/** Five times the promised time until the runs of another environment have ended, because other tests run beside this one. */
const WITHIN_MS = 25_000;
const LEASE_SECONDS = 31;
const MOST_ATTEMPTS = 5;
const SLOW = 'export default () => new Promise((wake) => setTimeout(wake, 1_000));';

describe('the script queue (JOB-01)', function () {
  this.timeout(60_000);
  const app = useEach(this, startApp);
  let db: Knex;
  let other: Tenant;

  beforeEach(async () => {
    db = app.database.db;
    other = await storeTenant(app, 'other');
  });

  /** Queues runs, for connections that do not exist unless one is named. */
  const queue = (environmentId: number, count: number, connectionId = 0) =>
    db.raw('insert into script_queue (environment_id, connection_id) select ?, ? from generate_series(1, ?)', [
      environmentId,
      connectionId,
      count,
    ]);
  const claim = (fullEnvironments: number[] = [], running: number[] = []) => claimScript(db, { fullEnvironments, running });
  const queuedOf = async (environmentId: number) =>
    Number((await db('script_queue').where({ environment_id: environmentId }).count().first())?.['count']);

  it(`SBX-07: one environment's ${MANY} slow scripts do not keep another's from ending within five seconds`, async () => {
    const key = await storeReceiver(app.api);
    await storeScript(app, { key, source: SLOW });
    const { connectionId } = await storeConnection(app, { key });
    const { id } = await db('connections').where({ connection_id: connectionId }).first('id');
    await queue(1, MANY, id);
    app.services.scriptQueue.start();
    await until('the first runs', async () => (await db('script_queue').whereNotNull('claimed_until').first('id')) !== undefined);
    await queue(other.environmentId, FEW);
    app.services.signals.send(db, 'script-queue');
    await until('the others have ended', async () => (await queuedOf(other.environmentId)) === 0, WITHIN_MS);
    expect(await queuedOf(1)).to.be.above(MANY - FEW);
    const claimed = async () => (await db('script_queue').whereNotNull('claimed_until')).length;
    expect(await claimed(), 'one runner is left').to.be.at.most(1);
    // For a moment between the end of one run and the next claim, no run is claimed.
    await until('it runs', async () => (await claimed()) === 1);
  });

  it('gives each run to one process, the longest due first, and skips environments that have their share', async () => {
    await queue(1, 2);
    await queue(other.environmentId, 1);
    await db('script_queue')
      .where({ environment_id: 1 })
      .update({ due_at: db.raw(`now() - interval '1 minute'`) });
    const first = await claim();
    const [passed, second] = [await claim([1]), await claim()];
    expect([first, passed, second].map((row) => row?.environment_id)).to.deep.equal([1, other.environmentId, 1]);
    expect(first?.id).not.to.equal(second?.id);
    expect(await claim()).to.equal(undefined);
  });

  it('gives a run to another process once its lease has expired, but not to the process that still runs it', async () => {
    await queue(1, 1);
    const claimed = await claim();
    expect(await claim()).to.equal(undefined);
    await app.clock.advance(LEASE_SECONDS * 1_000, db);
    expect(await claim([], [claimed?.id ?? 0])).to.equal(undefined);
    expect(await claim()).to.include({ id: claimed?.id, attempts: 2 });
  });

  it('does not give a run twice where the second claim began before the first', async () => {
    await queue(1, 1);
    const trx = await db.transaction();
    await trx.raw('select now()');
    const first = await claim();
    const second = await claimScript(trx, { fullEnvironments: [], running: [] });
    await trx.commit();
    expect([first?.attempts, second]).to.deep.equal([1, undefined]);
  });

  it('gives a run again that was claimed before the clock was set back', async () => {
    await queue(1, 1);
    await claim();
    await db('script_queue').update({ claimed_until: db.raw(`claimed_until + interval '1 hour'`) });
    expect(await claim()).to.include({ attempts: 2 });
  });

  it('gives up a run that cannot begin after five attempts, and logs that', async () => {
    const key = await storeReceiver(app.api);
    const { scriptId } = await storeScript(app, { key });
    await storeConnection(app, { key });
    const { id } = await db('connections').first('id');
    await db('script_versions')
      .where({ script_id: scriptId })
      .update({ compiled: Buffer.from('no envelope') });
    await queue(1, 1, id);
    app.services.scriptQueue.start();
    for (let attempts = 1; attempts < MOST_ATTEMPTS; attempts += 1) {
      await until(
        'an attempt has failed',
        async () => (await db('script_queue').where({ attempts, claimed_until: null })).length === 1,
      );
      await app.clock.advance(300_000, db);
    }
    await until('it is given up', async () => (await queuedOf(1)) === 0);
    expect(app.logLines.filter((line) => line.includes('a queued script run was given up'))).to.have.length(1);
  });

  it('gives up a run that was claimed five times by processes that died, without running it once more', async () => {
    const key = await storeReceiver(app.api);
    await storeScript(app, { key });
    await storeConnection(app, { key });
    const { id } = await db('connections').first('id');
    await queue(1, 1, id);
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      expect(await claim()).to.include({ attempts: attempt });
      await app.clock.advance(LEASE_SECONDS * 1_000, db);
    }
    app.services.scriptQueue.start();
    await until('it is given up', async () => (await queuedOf(1)) === 0);
    expect(app.logLines.filter((line) => line.includes('a queued script run was given up'))).to.have.length(1);
    const runs = await db('script_runs').select('status', 'cause', 'duration_ms');
    expect(runs).to.deep.equal([{ status: 'failed', cause: 'unavailable', duration_ms: 0 }]);
  });

  it('keeps the payloads that its rows refer to', async () => {
    await db('webhook_payloads').insert([1, 2].map((id) => ({ id, environment_id: 1, content: Buffer.from('x') })));
    await db('script_queue').insert({ environment_id: 1, connection_id: 7, payload_id: 1 });
    await deleteUnusedPayloads(db, { afterId: 0, limit: 10 });
    expect(await db('webhook_payloads').pluck('id')).to.deep.equal([1]);
    await db('script_queue').delete();
    await deleteUnusedPayloads(db, { afterId: 0, limit: 10 });
    expect(await db('webhook_payloads')).to.deep.equal([]);
  });

  it('is deleted with its environment', async () => {
    await db('webhook_payloads').insert({ id: 1, environment_id: other.environmentId, content: Buffer.from('x') });
    await db('script_queue').insert({ environment_id: other.environmentId, connection_id: 7, payload_id: 1 });
    await db('environments').where({ id: other.environmentId }).delete();
    expect([await db('script_queue'), await db('webhook_payloads')]).to.deep.equal([[], []]);
  });
});
