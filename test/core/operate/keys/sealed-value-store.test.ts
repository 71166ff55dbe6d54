import { expect } from 'chai';
import { countSealed, hasSealed } from '../../../../core/operate/keys/sealed-value-store.ts';
import { insertAccount, insertEnvironment } from '../../../../core/tenants/environments/environment-store.ts';
import { cloneDatabase } from '../../../support/database.ts';
import { use } from '../../../support/use.ts';

const COLUMN = { table: 'environment_variables', column: 'value' } as const;
/** More rows than one statement examines (`WINDOW` of the store). */
const ROWS = 5_003;

describe('encrypted values in a table that is read in windows', function () {
  const database = use(this, cloneDatabase);

  before(async () => {
    const accountId = await insertAccount(database.db, 'one');
    const { id } = await insertEnvironment(database.db, { accountId, name: 'dev' });
    // Each value begins like an encrypted one: the version, the length of the key's ID, and the key's ID.
    await database.db.raw(
      `insert into environment_variables (environment_id, name, value)
       select ?, 'V' || to_char(n, 'FM00000'), decode(case n when ? then '02026b32' else '02026b31' end || repeat('00', 40), 'hex')
       from generate_series(1, ?) n`,
      [id, ROWS, ROWS],
    );
  });

  it('are counted by key, in every window', async () => {
    expect([...(await countSealed(database.db, COLUMN))]).to.have.deep.members([
      ['k1', ROWS - 1],
      ['k2', 1],
    ]);
  });

  it('are found in the last window, and not reported for a key that encrypted none', async () => {
    expect(await hasSealed(database.db, COLUMN, 'k2')).to.equal(true);
    expect(await hasSealed(database.db, COLUMN, 'k3')).to.equal(false);
  });
});
