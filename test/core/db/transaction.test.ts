import { expect } from 'chai';
import type { Knex } from 'knex';
import { describeDatabaseFault } from '../../../core/db/database-fault.ts';
import { withTransaction } from '../../../core/db/transaction.ts';
import { cloneDatabase } from '../../support/database.ts';
import { use } from '../../support/use.ts';

describe('withTransaction', function () {
  const database = use(this, cloneDatabase);

  before(async () => {
    await database.db.raw(
      'create table counters (id int primary key, value int not null default 0); insert into counters values (1), (2)',
    );
  });
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

  it('accepts no statements of work that goes on after its end', async () => {
    const goOn = Promise.withResolvers<void>();
    let late: Promise<unknown> | undefined;
    await withTransaction(database.db, async (trx) => {
      late = goOn.promise.then(() => trx('counters').where({ id: 1 }).update({ value: 99 }));
    });
    const lateError = await withTransaction(database.db, async (trx) => {
      await trx('counters').where({ id: 2 }).update({ value: 2 });
      goOn.resolve();
      return late?.catch((error: unknown) => error);
    });
    expect(lateError).to.be.an('error').with.property('message').that.contains('already complete');
    expect(await database.db('counters').where('id', '<', 3).orderBy('id').pluck('value')).to.deep.equal([0, 2]);
  });

  it('fails if the database rolled it back at COMMIT', async () => {
    const swallowing = withTransaction(database.db, async (trx) => {
      await trx.raw('insert into counters values (12)');
      await trx.raw('insert into counters values (1)').catch(() => undefined);
    });
    expect(await swallowing.catch((error: Error) => error.message)).to.contain('nothing was committed');
    expect(await database.db('counters').where({ id: 12 })).to.deep.equal([]);
  });

  it('is part of the transaction that surrounds it', async () => {
    const outer = withTransaction(database.db, async (trx) => {
      await withTransaction(trx, (inner) => inner.raw('insert into counters values (14)'));
      throw new Error('no');
    });
    expect(await outer.catch((error: Error) => error.message)).to.equal('no');
    expect(await database.db('counters').where({ id: 14 })).to.deep.equal([]);
  });

  it('takes as many connections as there are transactions, and gives each back', async () => {
    const all = Array.from({ length: 30 }, (_, at) =>
      withTransaction(database.db, async (trx) => {
        await trx('counters').where({ id: 1 }).increment('value');
        if (at % 3 === 0) throw new Error('no');
      }).catch(() => undefined),
    );
    await Promise.all(all);
    expect((await database.db('counters').where({ id: 1 }).first()).value).to.equal(20);
    expect((await database.db.raw('select pg_backend_pid(), txid_current_if_assigned() as open')).rows[0].open).to.equal(null);
  });

  it('fails if its connection is lost, and the next one uses another', async () => {
    const pidOf = async (db: Knex) => (await db.raw('select pg_backend_pid() as pid')).rows[0].pid;
    let lost = 0;
    const failing = withTransaction(database.db, async (trx) => {
      lost = await pidOf(trx);
      await database.db.raw('select pg_terminate_backend(?)', [lost]);
      await trx.raw('insert into counters values (13)');
    });
    expect(describeDatabaseFault(await failing.catch((error: unknown) => error))).to.not.equal(undefined);
    expect(await withTransaction(database.db, pidOf)).to.not.equal(lost);
    expect(await database.db('counters').where({ id: 13 })).to.deep.equal([]);
  });
});
