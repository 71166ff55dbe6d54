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
});
