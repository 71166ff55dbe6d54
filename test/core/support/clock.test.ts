import { expect } from 'chai';
import { TestClock } from '../../support/clock.ts';
import { cloneDatabase } from '../../support/database.ts';
import { insertConnection } from './insert-connection.ts';

const HOUR_MS = 3_600_000;

describe('TestClock', () => {
  it('jumps, and runs on from there', async () => {
    const clock = new TestClock();
    const before = clock.now().getTime();
    await clock.advance(HOUR_MS);
    expect(clock.now().getTime() - before).to.be.within(HOUR_MS, HOUR_MS + 5000);
  });

  it('brings a lease and an expiry as much nearer as it jumps, and leaves what the passed-in clock decides', async () => {
    await using database = await cloneDatabase();
    const { db } = database;
    const until = new Date('2030-01-01T00:00:00Z');
    await insertConnection(db, { refresh_until: until, expires_at: until, created_at: until });

    await new TestClock().advance(HOUR_MS, db);
    const row = await db('connections').first('refresh_until', 'expires_at', 'created_at');
    expect(row.refresh_until).to.deep.equal(new Date('2029-12-31T23:00:00Z'));
    expect(row.expires_at).to.deep.equal(new Date('2029-12-31T23:00:00Z'));
    expect(row.created_at).to.deep.equal(until);
  });
});
