import { expect } from 'chai';
import type { Knex } from 'knex';
import { openDatabase } from '../../../core/db/database.ts';
import { preparedRead } from '../../../core/db/prepared-read.ts';
import { createLogger } from '../../../core/kit/logger.ts';
import { cloneDatabase } from '../../support/database.ts';
import { use } from '../../support/use.ts';

const SQL = 'select ?::int + ?::int as sum';

describe('a prepared read', function () {
  const database = use(this, cloneDatabase);
  let db: Knex;

  beforeEach(() => {
    // The pool has one session, so that a test knows which one it uses.
    db = openDatabase({ url: database.url, poolSize: 1, log: createLogger({ level: 'silent' }) });
  });

  afterEach(() => db.destroy());
  const sum = (a: number, b: number, on: Knex = db) => preparedRead<{ sum: number }>(on, SQL, [a, b]);
  const prepared = async (): Promise<{ name: string; statement: string }[]> =>
    (await db.raw('select name, statement from pg_prepared_statements')).rows;

  it('is prepared once in a session, whatever its values', async () => {
    expect(await sum(1, 2)).to.deep.equal([{ sum: 3 }]);
    expect(await sum(3, 4)).to.deep.equal([{ sum: 7 }]);
    const statements = await prepared();
    expect(statements).to.have.length(1);
    expect(statements[0]?.statement).to.equal('select $1::int + $2::int as sum');
  });

  it('has a separate name for each statement text', async () => {
    await sum(1, 2);
    await preparedRead(db, `${SQL} where true`, [1, 2]);
    expect(new Set((await prepared()).map(({ name }) => name))).to.have.property('size', 2);
  });

  it('is not prepared inside a transaction, which a failure would end', async () => {
    await db.transaction((trx) => sum(1, 2, trx));
    expect(await prepared()).to.deep.equal([]);
  });

  // A pooler causes this when it gives a client another server session than the one in which the client prepared the statement.
  it('goes on without a name when the session does not know the name', async () => {
    await sum(1, 2);
    await db.raw('deallocate all');
    expect(await sum(3, 4)).to.deep.equal([{ sum: 7 }]);
    expect(await sum(5, 6)).to.deep.equal([{ sum: 11 }]);
    expect(await prepared()).to.deep.equal([]);
  });

  it('goes on without a name when another client has taken the name in this session', async () => {
    await sum(1, 2);
    const [{ name } = { name: '' }] = await prepared();
    const other = openDatabase({ url: database.url, poolSize: 1, log: createLogger({ level: 'silent' }) });
    try {
      await other.raw(`prepare ${name} as select 0 as sum`);
      expect(await sum(3, 4, other)).to.deep.equal([{ sum: 7 }]);
      expect(await sum(5, 6, other)).to.deep.equal([{ sum: 11 }]);
    } finally {
      await other.destroy();
    }
  });

  it('fails as any statement does', async () => {
    const failure = await preparedRead(db, 'select 1 / ?::int as x', [0]).catch((error: unknown) => error);
    expect(failure).to.include({ code: '22012' });
    expect(await sum(1, 2)).to.deep.equal([{ sum: 3 }]);
    expect(await prepared()).not.to.deep.equal([]);
  });
});
