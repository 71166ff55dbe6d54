import { expect } from 'chai';
import { openDatabase } from '../../../../core/db/database.ts';
import { Activity } from '../../../../core/journal/operation-log/activity.ts';
import type { OperationStart } from '../../../../core/journal/operation-log/operation-row.ts';
import { createLogger } from '../../../../core/kit/logger.ts';
import { insertAccount, insertEnvironment } from '../../../../core/tenants/environments/environment-store.ts';
import { canary, sweep } from '../../../support/canaries.ts';
import { TestClock } from '../../../support/clock.ts';
import { cloneDatabase } from '../../../support/database.ts';
import { useEach } from '../../../support/use.ts';

const log = createLogger({ level: 'silent' });

describe('the operation log', function () {
  const database = useEach(this, cloneDatabase);
  const activity = useEach(this, () => new Activity({ db: database.db, clock: new TestClock(), log }));
  let start: OperationStart;

  beforeEach(async () => {
    const accountId = await insertAccount(database.db, 'a');
    const { id: environmentId } = await insertEnvironment(database.db, { accountId, name: 'e' });
    start = { type: 'proxy', operation: 'GET', environmentId };
  });

  const stored = () => database.db('operation_log').orderBy('created_at');

  it('contains an operation that has ended, with its messages, after a flush', async () => {
    const operation = activity.begin({ ...start, connectionId: 'c', providerConfigKey: 'i' });
    operation.note('info', 'called', { status: 200 });
    operation.end('success');
    await activity.flush();
    const [row] = await stored();
    expect(row).to.include({ id: operation.id, status: 'success', connection_id: 'c', provider_config_key: 'i', type: 'proxy' });
    expect(row.messages[0])
      .to.include({ level: 'info', message: 'called' })
      .and.to.deep.include({ facts: { status: 200 } });
  });

  it('contains nothing of an operation that has not ended', async () => {
    activity.begin(start);
    await activity.flush();
    expect(await stored()).to.have.length(0);
  });

  it('accepts more than one batch', async () => {
    for (let count = 0; count < 1_201; count += 1) activity.begin(start).end('success');
    await activity.flush();
    expect(await database.db('operation_log').count()).to.deep.equal([{ count: 1201 }]);
  });

  it('is written at disposal', async () => {
    activity.begin(start).end('failure');
    await activity[Symbol.asyncDispose]();
    expect(await stored()).to.have.length(1);
  });

  it('redacts values whose names mark them as secret', async () => {
    const secret = canary('a fact');
    const operation = activity.begin(start);
    operation.note('info', 'called', { access_token: secret, nested: [{ clientSecret: secret }] });
    operation.end('success');
    await activity.flush();
    expect(sweep({ database: await database.dump() })).to.deep.equal([]);
  });

  it('keeps 50 messages of an operation', async () => {
    const operation = activity.begin(start);
    for (let count = 0; count < 60; count += 1) operation.note('info', String(count));
    operation.end('success');
    await activity.flush();
    expect((await stored())[0].messages).to.have.length(50);
  });

  it('loses only the faulty operation of a batch', async () => {
    activity.begin(start).end('success');
    activity.begin({ ...start, environmentId: 999 }).end('success');
    activity.begin(start).end('success');
    await activity.flush();
    expect(await stored()).to.have.length(2);
    expect(activity.dropped).to.equal(1);
  });

  it('keeps the operations of a batch when the database is lost while they are written one by one', async () => {
    let inserts = 0;
    /** The batch is rejected, its first operation is stored, and then the database is lost once. */
    const faults: Readonly<Record<number, string>> = { 1: 'a row is invalid', 3: 'Connection terminated unexpectedly' };
    const losing = new Proxy(database.db, {
      get: (db, name) => {
        if (name !== 'raw') return Reflect.get(db, name);
        inserts += 1;
        const fault = faults[inserts];
        return fault === undefined ? db.raw : () => Promise.reject(new Error(fault));
      },
    });
    await using kept = new Activity({ db: losing, clock: new TestClock(), log });
    for (let count = 0; count < 3; count += 1) kept.begin(start).end('success');
    await kept.flush();
    expect([inserts, (await stored()).length]).to.deep.equal([3, 1]);
    await kept.flush();
    expect([(await stored()).length, kept.dropped]).to.deep.equal([3, 0]);
  });

  it('accepts an operation again whose commit was not confirmed', async () => {
    const operation = activity.begin(start);
    await database.db.transaction((trx) => operation.endIn(trx, 'success', 'c'));
    operation.end('success');
    activity.begin(start).end('success');
    await activity.flush();
    expect(activity.dropped).to.equal(0);
    expect(await stored()).to.have.length(2);
  });

  it('contains an operation only if the transaction that caused it commits', async () => {
    const operation = activity.begin(start);
    const undone = database.db.transaction(async (trx) => {
      await operation.endIn(trx, 'success', 'c');
      throw new Error('undone');
    });
    await undone.catch(() => undefined);
    expect(await stored()).to.have.length(0);
    await database.db.transaction((trx) => operation.endIn(trx, 'success', 'c'));
    expect((await stored())[0]).to.include({ status: 'success', connection_id: 'c' });
  });

  it('buffers up to its limit while the database is unavailable, and counts lost operations', async () => {
    const away = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', log });
    const waiting = new Activity({ db: away, clock: new TestClock(), log });
    for (let count = 0; count < 20_010; count += 1) waiting.begin(start).end('success');
    await waiting.flush();
    expect(waiting.dropped).to.equal(10);
    await waiting[Symbol.asyncDispose]();
    await away.destroy();
  });

  it('is counted exactly by the hour, whatever several instances write, repeat or leave out', async () => {
    const other = new Activity({ db: database.db, clock: new TestClock(), log });
    const before = new TestClock().now().getTime() - 3_600_000;
    const writers = [activity, other].map(async (writer) => {
      for (let count = 0; count < 600; count += 1) {
        const type = count % 2 === 0 ? 'script' : 'refresh';
        writer.begin({ ...start, type, sinceMs: count % 3 === 0 ? 3_600_000 : 0 }).end(count % 5 === 0 ? 'failure' : 'success');
      }
      const twice = writer.begin(start);
      await database.db.transaction((trx) => twice.endIn(trx, 'success', 'c'));
      twice.end('success');
      await writer.flush();
    });
    await Promise.all(writers);
    await other[Symbol.asyncDispose]();
    const written = await database
      .db('operation_log')
      .groupByRaw('1, 2, 3')
      .orderByRaw('1, 2, 3')
      .select(database.db.raw(`date_trunc('hour', created_at, 'UTC') as hour, type as kind, status, count(*)::int as count`));
    const counted = await database.db('operation_counts').orderByRaw('1, 2, 3').select('hour', 'kind', 'status', 'count');
    expect(counted).to.deep.equal(written);
    expect(counted.map(({ hour }) => Math.floor(hour.getTime() / 3_600_000))).to.include(Math.floor(before / 3_600_000));
    for (let count = 0; count < 250; count += 1)
      if (activity.takesRoutine(start.environmentId)) activity.begin(start).end('success');
    activity.count('proxy', { environmentId: 999, status: 'success' });
    await activity.flush();
    expect(await database.db('operation_counts').where({ kind: 'proxy' }).sum('count')).to.deep.equal([{ sum: '252' }]);
  });
});
