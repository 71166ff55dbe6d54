import { expect } from 'chai';
import { openDatabase } from '../../../core/db/database.ts';
import { DatabaseTime } from '../../../core/db/database-time.ts';
import { createLogger } from '../../../core/kit/logger.ts';
import { cloneDatabase } from '../../support/database.ts';
import { use } from '../../support/use.ts';

const OVER_A_MINUTE_MS = 61_000;

describe('the time of the database', function () {
  const database = use(this, cloneDatabase);
  let aheadMs: number;
  let time: DatabaseTime;
  let queries: number;

  before(async () => {
    database.db.on('query', () => {
      queries += 1;
    });
  });
  beforeEach(() => {
    aheadMs = 0;
    queries = 0;
    time = new DatabaseTime(() => performance.now() + aheadMs);
  });
  it('is read once for all concurrent callers', async () => {
    const asked = await Promise.all(Array.from({ length: 20 }, () => time.current(database.db)));
    for (const now of asked) expect(now.getTime()).to.be.closeTo(Date.now(), 5_000);
    expect(queries).to.equal(1);
  });

  it('is read again after a minute, once for all callers', async () => {
    await time.current(database.db);
    aheadMs = OVER_A_MINUTE_MS;
    const second = new Promise((resolve) => database.db.once('query-response', resolve));
    await Promise.all(Array.from({ length: 20 }, () => time.current(database.db)));
    await second;
    expect(queries).to.equal(2);
  });

  it('is not waited for once it is known', async () => {
    await using opened = new AsyncDisposableStack();
    const db = openDatabase({ url: database.url, poolSize: 1, log: createLogger({ level: 'silent' }) });
    opened.defer(() => db.destroy());
    await time.current(db);
    aheadMs = OVER_A_MINUTE_MS;
    const trx = await db.transaction(); // takes the pool's only database connection
    opened.defer(async () => void (await trx.rollback()));
    let isAnswered = false;
    const asked = time.current(db).then(() => {
      isAnswered = true;
    });
    await trx.raw('select 1');
    expect(isAnswered).to.equal(true);
    await asked;
  });
});
