import { expect } from 'chai';
import { PgBoss } from 'pg-boss';
import { Listener } from '../../../core/db/listener.ts';
import { openQueue, type Queue } from '../../../core/db/queue.ts';
import { withTransaction } from '../../../core/db/transaction.ts';
import { createLogger } from '../../../core/kit/logger.ts';
import { cloneDatabase } from '../../support/database.ts';
import { useEach } from '../../support/use.ts';

const log = createLogger({ level: 'silent' });

interface Numbered {
  readonly number: number;
}

describe('the queue', function () {
  let queue: Queue;
  // Registered first, since the queue needs the database until it has stopped.
  afterEach(() => queue.stop());
  const database = useEach(this, cloneDatabase);
  const listener = useEach(this, () => new Listener({ url: database.url, log }));
  beforeEach(async () => {
    queue = await openQueue({ db: database.db, listener, log });
  });

  it('runs the job of a transaction that committed, and never that of one that rolled back', async () => {
    await withTransaction(database.db, async (trx) => {
      await queue.send('numbers', { number: 1 }, { trx });
      throw new Error('no');
    }).catch(() => undefined);
    await withTransaction(database.db, (trx) => queue.send('numbers', { number: 2 }, { trx }));
    expect(await run(1)).to.deep.equal([2]);
  });

  it('does not run a job before its time', async () => {
    await queue.send('numbers', { number: 1 }, { startAfterSeconds: 3600 });
    await queue.send('numbers', { number: 2 });
    expect(await run(1)).to.deep.equal([2]);
    const due = await database.db('pgboss.job').where({ name: 'numbers', state: 'created' }).first('start_after');
    expect(due.start_after.getTime()).to.be.closeTo(Date.now() + 3_600_000, 60_000);
  });

  it('tries a job again when its handler throws', async () => {
    await queue.send('numbers', { number: 1 });
    const tried = Promise.withResolvers<void>();
    let tries = 0;
    await queue.work<Numbered>('numbers', async () => {
      tries += 1;
      if (tries === 1) throw new Error('the first time');
      tried.resolve();
    });
    await bringNearer('numbers', 'retry');
    await tried.promise;
    expect(tries).to.equal(2);
  });

  it('puts a job that failed too often aside, without the values of its errors', async () => {
    await queue.send('numbers', { number: 7 });
    await queue.work<Numbered>('numbers', async () => {
      throw Object.assign(new Error('value-canary'), { detail: 'value-canary' });
    });
    while (!(await database.db('pgboss.job').where({ name: 'dead-letters' }).first()))
      await bringNearer('numbers', 'retry', 'dead-letters');
    const [dead] = await database.db('pgboss.job').where({ name: 'dead-letters' }).select('data');
    expect(dead.data).to.deep.equal({ number: 7 });
    expect(await database.dump()).not.to.contain('value-canary');
  });

  it('waits at the stop for the job that runs', async () => {
    const begun = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    let ended = false;
    await queue.work<Numbered>('numbers', async () => {
      begun.resolve();
      await mayEnd.promise;
      ended = true;
    });
    await queue.send('numbers', { number: 1 });
    await begun.promise;
    const stopped = queue.stop();
    mayEnd.resolve();
    await stopped;
    expect(ended).to.equal(true);
    expect(await database.db('pgboss.job').where({ name: 'numbers' }).pluck('state')).to.deep.equal(['completed']);
  });

  it('survives the loss of every connection', async () => {
    await queue.send('numbers', { number: 1 });
    await database.db.raw(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    expect(await run(1)).to.deep.equal([1]);
  });

  it('keeps a schedule once, however often it is asked for', async () => {
    for (const _ of [1, 2]) await queue.schedule('nightly', '0 3 * * *', async () => undefined);
    expect(await database.db('pgboss.schedule').select('name', 'cron', 'timezone')).to.deep.equal([
      { name: 'nightly', cron: '0 3 * * *', timezone: 'UTC' },
    ]);
  });

  it('gives a scheduled job the signal of its end', async () => {
    const given = Promise.withResolvers<AbortSignal>();
    await queue.schedule('nightly', '0 3 * * *', async (signal) => given.resolve(signal));
    await queue.send('nightly', {});
    expect(await given.promise).to.be.instanceOf(AbortSignal);
  });

  it('JOB-01: of a batch parks the one job that always fails, after five, and completes the others', async () => {
    for (let number = 0; number < 20; number += 1) await queue.send('numbers', { number });
    const tries = new Map<number, number>();
    await queue.work<Numbered>(
      'numbers',
      async ({ number }) => {
        tries.set(number, (tries.get(number) ?? 0) + 1);
        if (number === 7) throw new Error('always');
      },
      { concurrency: 1, batchSize: 100 },
    );
    while (!(await database.db('pgboss.job').where({ name: 'dead-letters' }).first()))
      await bringNearer('numbers', 'retry', 'dead-letters');
    const states = await database.db('pgboss.job').where({ name: 'numbers' }).orderBy('created_on').select('data', 'state');
    for (const { data, state } of states) expect(state, String(data.number)).to.equal(data.number === 7 ? 'failed' : 'completed');
    expect(await database.db('pgboss.job').where({ name: 'dead-letters' }).pluck('data')).to.deep.equal([{ number: 7 }]);
    expect([...tries].filter(([, count]) => count > 1)).to.deep.equal([[7, 5]]);
  });

  it('JOB-01: parks a job whose worker dies each time, after five', async () => {
    await queue.send('numbers', { number: 1 });
    const boss = new PgBoss({ connectionString: database.url, supervise: false, schedule: false });
    await using opened = new AsyncDisposableStack();
    await boss.start();
    opened.defer(() => boss.stop({ graceful: false }));
    for (let deaths = 1; deaths <= 5; deaths += 1) {
      const jobs = database.db('pgboss.job').where({ name: 'numbers' });
      await jobs.clone().update({ start_after: database.db.fn.now() });
      expect(await boss.fetch('numbers'), `taken before death ${deaths}`).to.have.lengthOf(1);
      await jobs.clone().update({ heartbeat_on: database.db.raw(`now() - interval '1 minute'`) });
      await database.db('pgboss.queue').update({ monitor_claim_on: null });
      await boss.supervise('numbers');
    }
    expect(await database.db('pgboss.job').where({ name: 'dead-letters' }).pluck('data')).to.deep.equal([{ number: 1 }]);
  });

  /** Works until so many jobs have run. */
  async function run(count: number): Promise<number[]> {
    const numbers: number[] = [];
    const done = Promise.withResolvers<void>();
    await queue.work<Numbered>('numbers', async ({ number }) => {
      numbers.push(number);
      if (numbers.length === count) done.resolve();
    });
    await done.promise;
    return numbers;
  }

  /** Waits for a job in this state and makes it due now. */
  async function bringNearer(name: string, state: string, orUntil = ''): Promise<void> {
    for (;;) {
      const moved = await database.db('pgboss.job').where({ name, state }).update({ start_after: database.db.fn.now() });
      if (moved > 0 || (await database.db('pgboss.job').where({ name: orUntil }).first())) return;
    }
  }
});
