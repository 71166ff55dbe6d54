import { expect } from 'chai';
import { purge } from '../../../core/process/maintenance.ts';
import { cloneDatabase, type TestDatabase } from '../../support/database.ts';
import { insertConnection } from '../support/insert-connection.ts';
import { purgeDeps } from '../support/purge-deps.ts';

/** More than one batch of each. */
const MANY = 5_001;
/** Deletions look for these rows, once for each row that is deleted. */
const LOOK_UPS: Readonly<Record<string, string>> = {
  'the flows of a session': 'select id from authorization_flows where session_id = 1',
  'the sessions that authorize a connection again': 'select id from connect_sessions where reconnect_id = 1',
  'the sessions that are over': 'select id from connect_sessions where expires_at < now()',
  'the connections whose deletion was cut off': 'select id from connections where deleted_at < now()',
  'the operations that are old': 'select id from operations where created_at < now()',
};

describe('purging', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await cloneDatabase();
    await insertConnection(database.db, {});
  });

  afterEach(() => database[Symbol.asyncDispose]());

  async function insertMany(table: string, columns: Readonly<Record<string, string>>): Promise<void> {
    const [names, values] = [Object.keys(columns).join(), Object.values(columns).join()];
    await database.db.raw(`insert into ${table} (${names}) select ${values} from generate_series(1, ${MANY}) n`);
  }

  async function countOf(table: string): Promise<number> {
    const [row] = await database.db(table).count();
    return Number(row?.['count']);
  }

  it('removes all that has had its time, however much it is, and nothing else', async () => {
    const { db } = database;
    const { environment_id: environment, integration_id: integration } = await db('connections').first();
    const session = { environment_id: environment, tags: "'{}'", token_hash: "sha256(('s' || n)::bytea)" };
    await insertMany('connect_sessions', { ...session, expires_at: "now() - interval '25 hours'" });
    await db.raw(
      `insert into authorization_flows
         (environment_id, session_id, integration_id, state_hash, browser_hash, secrets, expires_at)
       select environment_id, id, ?, token_hash, token_hash, '', expires_at from connect_sessions`,
      [integration],
    );
    await db('connect_sessions').insert({ environment_id: environment, tags: '{}', token_hash: 'live', expires_at: new Date() });
    await insertMany('connections', {
      environment_id: environment,
      integration_id: integration,
      connection_id: "'deleted ' || n",
      credentials: "''",
      deleted_at: "now() - interval '2 hours'",
    });
    const operation = { id: 'gen_random_uuid()', environment_id: environment, type: "'proxy'", operation: "'GET'" };
    await insertMany('operations', { ...operation, status: "'success'", created_at: "now() - interval '16 days'" });

    await purge(purgeDeps(db));
    const tables = ['connect_sessions', 'authorization_flows', 'connections', 'operations'];
    const left = await Promise.all(tables.map(async (table) => [table, await countOf(table)]));
    expect(Object.fromEntries(left)).to.deep.equal({
      connect_sessions: 1,
      authorization_flows: 0,
      connections: 1,
      operations: 0,
    });
  });

  for (const [what, query] of Object.entries(LOOK_UPS)) {
    it(`finds ${what} without reading the whole table`, async () => {
      const plan = await database.db.transaction(async (trx) => {
        await trx.raw('set local enable_seqscan = off'); // an empty table is read whole if it may be
        const { rows }: { rows: { 'QUERY PLAN': string }[] } = await trx.raw(`explain ${query}`);
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      });
      expect(plan)
        .to.match(/Index (Only )?Scan/)
        .and.not.to.contain('Seq Scan');
      expect(plan).to.match(/Index Cond/);
    });
  }
});
