import { expect } from 'chai';
import { LastFetched } from '../../../core/connections/last-fetched.ts';
import { createLogger } from '../../../core/kit/logger.ts';
import { TestClock } from '../../support/clock.ts';
import { cloneDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';
import { useEach } from '../../support/use.ts';
import { insertConnection } from '../support/insert-connection.ts';

/** More connections than one statement can have bindings (65,535). */
const MANY = 70_000;

describe('last_fetched_at', function () {
  const database = useEach(this, cloneDatabase);
  const lastFetched = useEach(
    this,
    () => new LastFetched({ db: database.db, clock: new TestClock(), log: createLogger({ level: 'silent' }) }),
  );
  let id: number;

  beforeEach(async () => {
    await insertConnection(database.db, { last_fetched_at: new Date(0) });
    id = (await database.db('connections').first('id')).id;
  });

  const stored = async (): Promise<Date> => (await database.db('connections').first('last_fetched_at')).last_fetched_at;

  it('is written in one statement, however many connections were used', async () => {
    for (let other = 0; other < MANY; other += 1) lastFetched.touch(other + 1_000_000);
    lastFetched.touch(id);
    await lastFetched.flush();
    expect(Date.now() - (await stored()).getTime()).to.be.within(-1_000, 10_000);
  });

  it('is written when it is disposed of', async () => {
    lastFetched.touch(id);
    await lastFetched[Symbol.asyncDispose]();
    expect((await stored()).getTime()).to.be.greaterThan(0);
  });

  it('never goes back', async () => {
    const later = new Date(Date.now() + 3_600_000);
    await database.db('connections').update({ last_fetched_at: later });
    lastFetched.touch(id);
    await lastFetched.flush();
    expect(await stored()).to.deep.equal(later);
  });

  it('is written within five seconds without being asked', async () => {
    lastFetched.touch(id);
    // This is five times the five seconds, because other tests run at the same time.
    await until('it is written', async () => (await stored()).getTime() > 0, 25_000);
  });
});
