import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { listConnections } from '../../../core/connections/connection-list-store.ts';
import { cloneDatabase } from '../../support/database.ts';
import { projectFolder } from '../../support/source-files.ts';
import { use } from '../../support/use.ts';
import { insertConnection } from '../support/insert-connection.ts';

const SEARCH = readFileSync(`${projectFolder}migrations/baseline/11-connection-search.sql`, 'utf8');

describe('the index for searching connections', function () {
  const database = use(this, cloneDatabase);

  /**
   * Runs the SQL in `prepare` and then the migration; returns whether the index exists and how many connections a search finds.
   */
  async function migrated(prepare: string): Promise<{ isThere: boolean; found: number }> {
    const trx = await database.db.transaction();
    await insertConnection(trx, { end_user: { email: 'Ada@acme.example' } });
    const { environment_id: environmentId } = await trx('connections').first('environment_id');
    await trx.raw(`drop index connections_search; drop extension pg_trgm; ${prepare}`);
    await trx.raw(SEARCH);
    const { rows } = await trx.raw(`select from pg_indexes where indexname = 'connections_search'`);
    const found = await listConnections(trx as Knex, environmentId, { search: 'ada@ACME', limit: 10 });
    await trx.rollback();
    return { isThere: rows.length === 1, found: found.length };
  }

  it('is created', async () => {
    expect(await migrated('')).to.deep.equal({ isThere: true, found: 1 });
  });

  it('is created with an extension in another schema', async () => {
    const prepare = 'create schema "The Extensions"; create extension pg_trgm schema "The Extensions"';
    expect(await migrated(prepare)).to.deep.equal({ isThere: true, found: 1 });
  });

  it('is left out if the role may not create the extension', async () => {
    const prepare = `create role restricted; grant all on schema public to restricted; grant all on all tables in schema public to restricted;
      alter table connections owner to restricted; set local role restricted`;
    expect(await migrated(prepare)).to.deep.equal({ isThere: false, found: 1 });
  });
});
