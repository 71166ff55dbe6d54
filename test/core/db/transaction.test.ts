import { expect } from 'chai';
import { withTransaction } from '../../../core/db/transaction.ts';
import { cloneDatabase, type TestDatabase } from '../../support/database.ts';

describe('withTransaction', () => {
  let database: TestDatabase;

  before(async () => {
    database = await cloneDatabase();
    await database.db.raw(
      'create table counters (id int primary key, value int not null default 0); insert into counters values (1), (2)',
    );
  });
  after(() => database[Symbol.asyncDispose]());

  it('commits when the work is done and rolls back when it throws', async () => {
    await withTransaction(database.db, (trx) => trx.raw('insert into counters values (10)'));
    const failing = withTransaction(database.db, async (trx) => {
      await trx.raw('insert into counters values (11)');
      throw new Error('no');
    });
    expect(await failing.catch((error: Error) => error.message)).to.equal('no');
    expect(await database.db('counters').where('id', '>=', 10).pluck('id')).to.deep.equal([10]);
  });

  it('limits statements and idleness for the transaction alone', async () => {
    const limit =
      "select current_setting('statement_timeout') as statements, current_setting('idle_in_transaction_session_timeout') as idle";
    const { rows } = await withTransaction(database.db, (trx) => trx.raw(limit));
    expect(rows[0]).to.deep.equal({ statements: '5s', idle: '15s' });
    expect((await database.db.raw(limit)).rows[0]).to.deep.equal({ statements: '0', idle: '0' });
  });

  it('repeats work that lost a deadlock, when asked to', async () => {
    await Promise.all([deadlocking({ retryConflicts: true }, [1, 2]), deadlocking({ retryConflicts: true }, [2, 1])]);
    expect(await database.db('counters').whereIn('id', [1, 2]).pluck('value')).to.deep.equal([2, 2]);
  });

  it('reports a deadlock when not asked to repeat', async () => {
    const outcomes = await Promise.allSettled([deadlocking({}, [1, 2]), deadlocking({}, [2, 1])]);
    expect(outcomes.filter(({ status }) => status === 'rejected')).to.have.length(1);
  });

  /** Both take their first row before either goes for its second, on the first try. */
  const bothBegan = rendezvous(4);
  function deadlocking(options: { retryConflicts?: boolean }, [first, second]: [number, number]): Promise<void> {
    const began = bothBegan();
    return withTransaction(
      database.db,
      async (trx) => {
        await trx.raw("set local deadlock_timeout = '10ms'");
        await trx('counters').where({ id: first }).increment('value');
        await began();
        await trx('counters').where({ id: second }).increment('value');
      },
      options,
    );
  }
});

/** For pairs: the first call of each member resolves when both have called; later calls at once. */
function rendezvous(members: number) {
  const pairs = Array.from({ length: members / 2 }, () => ({ gate: Promise.withResolvers<void>(), missing: 2 }));
  let taken = 0;
  return () => {
    const pair = pairs[Math.floor(taken / 2)];
    taken += 1;
    return async () => {
      if (!pair) return;
      pair.missing -= 1;
      if (pair.missing <= 0) pair.gate.resolve();
      await pair.gate.promise;
    };
  };
}
