import { expect } from 'chai';
import { nothingStuck } from '../../support/checker.ts';
import { cloneDatabase } from '../../support/database.ts';
import { transientRows } from '../../support/transient-rows.ts';
import { insertConnection } from './insert-connection.ts';

describe('transientRows', () => {
  it('names a connection whose refresh has not ended', async () => {
    await using database = await cloneDatabase();
    const until = new Date('2030-01-01T00:00:00Z');
    await insertConnection(database.db, { refresh_owner: 'a', refresh_until: until });
    const rows = await transientRows(database.db);
    expect(rows).to.deep.equal([{ what: 'connection 1, refreshing', deadline: until }]);
    expect(nothingStuck(rows, new Date('2030-01-01T00:01:00Z'))).to.have.lengthOf(1);
  });

  it('finds nothing in a database at rest', async () => {
    await using database = await cloneDatabase();
    await insertConnection(database.db, {});
    expect(await transientRows(database.db)).to.deep.equal([]);
  });
});
