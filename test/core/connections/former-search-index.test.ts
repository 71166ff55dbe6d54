import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { cloneDatabase } from '../../support/database.ts';
import { projectFolder } from '../../support/source-files.ts';
import { use } from '../../support/use.ts';

const SEARCH = readFileSync(`${projectFolder}migrations/baseline/11-connection-search.sql`, 'utf8');

describe('the former index for searching connections, which later migrations drop', function () {
  const database = use(this, cloneDatabase);

  /** Runs the SQL in `prepare` and then that of the baseline; returns whether the index exists. */
  async function isCreated(prepare: string): Promise<boolean> {
    const trx = await database.db.transaction();
    await trx.raw(`drop extension pg_trgm; ${prepare}`);
    await trx.raw(SEARCH);
    const { rows } = await trx.raw(`select from pg_indexes where indexname = 'connections_search'`);
    await trx.rollback();
    return rows.length === 1;
  }

  it('is created', async () => {
    expect(await isCreated('')).to.equal(true);
  });

  it('is created with an extension in another schema', async () => {
    const prepare = 'create schema "The Extensions"; create extension pg_trgm schema "The Extensions"';
    expect(await isCreated(prepare)).to.equal(true);
  });

  it('is left out if the role may not create the extension', async () => {
    const prepare = `create role restricted; grant all on schema public to restricted; grant all on all tables in schema public to restricted;
      alter table connections owner to restricted; set local role restricted`;
    expect(await isCreated(prepare)).to.equal(false);
  });
});
