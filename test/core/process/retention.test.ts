import { expect } from 'chai';
import { applyRetention } from '../../../core/process/retention.ts';
import { cloneDatabase, type TestDatabase } from '../../support/database.ts';
import { insertConnection } from '../support/insert-connection.ts';
import { retentionDeps } from '../support/retention-deps.ts';

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

/** With the age from which on a row is removed; what else a row needs is made below. */
const AGES: Readonly<Record<string, readonly [column: string, age: string]>> = {
  connect_sessions: ['expires_at', '1 day'],
  idempotency_keys: ['expires_at', '0 days'],
  connections: ['deleted_at', '1 hour'],
  webhook_duplicates: ['seen_at', '1 day'],
  webhook_deliveries: ['received_at', '15 days'],
  script_runs: ['started_at', '15 days'],
  operations: ['created_at', '15 days'],
};

describe('the retention', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  let columns: Readonly<Record<string, Readonly<Record<string, string>>>>;

  beforeEach(async () => {
    database = await cloneDatabase();
    const { db } = database;
    await insertConnection(db, {});
    const { environment_id, integration_id } = await db('connections').first();
    const [{ id: script_id }] = await db('scripts')
      .insert({ environment_id, integration_id, event: 'on-webhook' })
      .returning('id');
    const [{ id: api_key_id }] = await db('api_keys')
      .insert({ account_id: 1, environment_id, name: 'k', secret_hash: 'k', scopes: [] })
      .returning('id');
    const own = { environment_id };
    columns = {
      connect_sessions: { ...own, tags: "'{}'", token_hash: 'sha256(n::text::bytea)' },
      idempotency_keys: { ...own, api_key_id, scope_hash: 'sha256(n::text::bytea)', request: "''", claimed_until: 'now()' },
      connections: { ...own, integration_id, connection_id: "'deleted ' || n", credentials: "''" },
      webhook_duplicates: { integration_id, key: 'sha256(n::text::bytea)' },
      webhook_deliveries: { ...own, integration_id, verified: 'true', content: "''" },
      script_runs: {
        ...own,
        id: 'gen_random_uuid()',
        script_id,
        version: '1',
        status: "'done'",
        duration_ms: '1',
        memory_mb: '1',
      },
      operations: { ...own, id: 'gen_random_uuid()', type: "'proxy'", operation: "'GET'", status: "'success'" },
    };
  });

  afterEach(() => database[Symbol.asyncDispose]());

  async function insert(table: string, first: number, count: number, time: string): Promise<void> {
    const all = { ...columns[table], [AGES[table]?.[0] ?? '']: time };
    const [names, values] = [Object.keys(all).join(), Object.values(all).join()];
    await database.db.raw(
      `insert into ${table} (${names}) select ${values} from generate_series(${first}, ${first + count - 1}) n`,
    );
  }

  for (const [table, [, age]] of Object.entries(AGES)) {
    it(`removes ${table} after ${age}, however many they are, and no others`, async () => {
      const before = (await database.db(table)).length;
      await insert(table, 1, 2, `now() - interval '${age}' + interval '10 minutes'`);
      const kept = await database.db(table);
      await insert(table, 3, MANY, `now() - interval '${age}' - interval '10 minutes'`);
      await applyRetention(retentionDeps(database.db));
      expect(await database.db(table))
        .to.have.deep.members(kept)
        .and.to.have.length(before + 2);
    });
  }

  it('removes the flows of a session with it', async () => {
    await insert('connect_sessions', 1, 1, "now() - interval '2 days'");
    const { integration_id } = await database.db('connections').first();
    await database.db.raw(
      `insert into authorization_flows
         (environment_id, session_id, integration_id, state_hash, browser_hash, secrets, expires_at)
       select environment_id, id, ?, token_hash, token_hash, '', expires_at from connect_sessions`,
      [integration_id],
    );
    await applyRetention(retentionDeps(database.db));
    expect(await database.db('authorization_flows')).to.deep.equal([]);
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
