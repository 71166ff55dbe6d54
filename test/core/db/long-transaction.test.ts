import { expect } from 'chai';
import { withLongTransaction, withTransaction } from '../../../core/db/transaction.ts';
import { cloneDatabase, type TestDatabase } from '../../support/database.ts';
import { use } from '../../support/use.ts';

describe('a transaction that changes many rows', function () {
  const database = use(this, cloneDatabase);

  before(async () => {
    await database.db('accounts').insert([{ name: 'one' }, { name: 'two' }]);
  });

  const rename = (db: TestDatabase['db'], from: string) => db('accounts').where({ name: from }).update({ name: from });

  it('begins again after a deadlock with another transaction', async () => {
    const theyHaveTwo = Promise.withResolvers<void>();
    const weHaveOne = Promise.withResolvers<void>();
    let tries = 0;
    const they = withTransaction(database.db, async (trx) => {
      await rename(trx, 'two');
      theyHaveTwo.resolve();
      await weHaveOne.promise;
      await rename(trx, 'one');
    });
    const we = withLongTransaction(database.db, async (trx) => {
      tries += 1;
      await theyHaveTwo.promise;
      await rename(trx, 'one');
      weHaveOne.resolve();
      await rename(trx, 'two');
      return 'done';
    });
    const [theirs, ours] = await Promise.allSettled([they, we]);
    expect(ours).to.deep.equal({ status: 'fulfilled', value: 'done' });
    // To end the deadlock, the database aborts one of the two transactions: theirs, which then fails, or ours, which is then
    // attempted again. The new attempt may run into their transaction again, and the next deadlock may abort either.
    expect(tries > 1 || theirs.status === 'rejected', `${tries} attempts, theirs: ${theirs.status}`).to.equal(true);
  });

  it('fails at once for any other reason, and changes nothing', async () => {
    let tries = 0;
    const failed = await withLongTransaction(database.db, async (trx) => {
      tries += 1;
      await trx('accounts').delete();
      throw new RangeError('no');
    }).catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(RangeError);
    expect(tries).to.equal(1);
    expect(await database.db('accounts').pluck('name')).to.have.members(['one', 'two']);
  });
});
