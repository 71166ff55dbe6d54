import { expect } from 'chai';
import type { Knex } from 'knex';
import { KeyRing, newKeyRingText } from '../../../core/kit/key-ring.ts';
import { createLogger } from '../../../core/kit/logger.ts';
import { applyRetention } from '../../../core/operate/retention.ts';
import { TestClock } from '../../support/clock.ts';
import { cloneDatabase } from '../../support/database.ts';
import { useEach } from '../../support/use.ts';
import { insertConnection } from '../support/insert-connection.ts';

/** More rows than one batch deletes. */
const MANY = 5_001;
/** The queries by which deletions find their rows, each of which must use an index. */
const LOOK_UPS: Readonly<Record<string, string>> = {
  'the flows of a session': 'select id from authorization_flows where session_id = 1',
  'the sessions that authorize a connection again': 'select id from connect_sessions where reconnect_id = 1',
  'the sessions that are over': 'select id from connect_sessions where expires_at < now()',
  'the connections whose deletion was interrupted': 'select id from connections where deleted_at < now()',
  'the connections of an integration': 'select id from connections where integration_id = 1',
  'the flows of an integration': 'select id from authorization_flows where integration_id = 1',
  'the flows of an environment': 'select id from authorization_flows where environment_id = 1',
  'the sessions of an environment': 'select id from connect_sessions where environment_id = 1',
  'the operations of an environment': 'select id from operation_log where environment_id = 1',
  'the integrations that wait to be erased': 'select id from integrations where deleted_at < now()',
  'the environments that wait to be erased': 'select id from environments where deleted_at < now()',
};

/**
 * For each table, the column from whose time a row's age counts, and the age at which the row is removed. `columns` below has the
 * values of the other columns.
 */
const AGES: Readonly<Record<string, readonly [column: string, age: string]>> = {
  connect_sessions: ['expires_at', '1 day'],
  idempotency_keys: ['expires_at', '0 days'],
  connections: ['deleted_at', '1 hour'],
  webhook_duplicates: ['seen_at', '1 day'],
  webhook_deliveries: ['received_at', '15 days'],
  member_sessions: ['expires_at', '1 day'],
  member_links: ['expires_at', '1 day'],
  sign_in_attempts: ['window_ends_at', '1 day'],
  company_logos: ['fetched_at', '30 days'],
  script_runs: ['started_at', '15 days'],
  operation_log_default: ['created_at', '15 days'],
  operation_counts: ['hour', '31 days'],
};

/** SQL values of the columns that a connect session needs. */
const SESSION = { defaults: "''", authorization_presets: "''", overrides: "'{}'", replaces: "'{}'" };

const TABLES = ['environments', 'integrations', 'connections', 'connect_sessions', 'operation_log'];

describe('the retention', function () {
  this.timeout(60_000);
  const database = useEach(this, cloneDatabase);
  let columns: Readonly<Record<string, Readonly<Record<string, string>>>>;

  beforeEach(async () => {
    const { db } = database;
    await insertConnection(db, {});
    const { environment_id, integration_id } = await db('connections').first();
    const [{ id: script_id }] = await db('scripts')
      .insert({ environment_id, integration_id, event: 'on-webhook' })
      .returning('id');
    const [{ id: api_key_id }] = await db('api_keys')
      .insert({ account_id: 1, environment_id, name: 'k', secret_hash: 'k', last4: 'kkkk', scopes: [], mac: 'm' })
      .returning('id');
    const [{ id: member_id }] = await db('members')
      .insert({ account_id: 1, name: 'Ada', email: 'ada@acme.example', role: 'viewer', mac: 'm' })
      .returning('id');
    const own = { environment_id };
    columns = {
      connect_sessions: { ...own, ...SESSION, tags: "'{}'", token_hash: 'sha256(n::text::bytea)' },
      idempotency_keys: { ...own, api_key_id, scope_hash: 'sha256(n::text::bytea)', request: "''", claimed_until: 'now()' },
      connections: { ...own, integration_id, connection_id: "'deleted ' || n", credentials: "''" },
      webhook_duplicates: { integration_id, key: 'sha256(n::text::bytea)' },
      webhook_deliveries: { ...own, integration_id, verified: 'true', content: "''" },
      member_sessions: {
        member_id,
        token_hash: 'sha256(n::text::bytea)',
        address: "''",
        user_agent: "''",
        created_at: 'now()',
        last_seen_at: 'now()',
        idle_seconds: '1',
        mac: "''",
      },
      member_links: { token_hash: 'sha256(n::text::bytea)', kind: "'setup'", account_id: '1', mac: "''" },
      sign_in_attempts: { key_hash: 'sha256(n::text::bytea)', count: '1' },
      company_logos: { domain: "n || '.example'" },
      script_runs: {
        ...own,
        id: 'gen_random_uuid()',
        script_id,
        version: '1',
        status: "'done'",
        duration_ms: '1',
        memory_mb: '1',
      },
      operation_log_default: {
        ...own,
        id: 'gen_random_uuid()',
        type: "'proxy'",
        operation: "'GET'",
        status: "'success'",
        actor_kind: "'system'",
        summary: "''",
      },
      operation_counts: { ...own, kind: 'n::text', status: "'success'", count: '1' },
    };
  });

  async function insert(table: string, first: number, count: number, time: string): Promise<void> {
    const all = { ...columns[table], [AGES[table]?.[0] ?? '']: time };
    const [names, values] = [Object.keys(all).join(), Object.values(all).join()];
    await database.db.raw(
      `insert into ${table} (${names}) select ${values} from generate_series(${first}, ${first + count - 1}) n`,
    );
  }

  for (const [table, [, age]] of Object.entries(AGES)) {
    it(`removes all rows of ${table} that are older than ${age}, and no others`, async () => {
      const before = (await database.db(table)).length;
      await insert(table, 1, 2, `now() - interval '${age}' + interval '10 minutes'`);
      const kept = await database.db(table);
      await insert(table, 3, MANY, `now() - interval '${age}' - interval '10 minutes'`);
      await applyRetention(depsOf(database.db));
      expect(await database.db(table))
        .to.have.deep.members(kept)
        .and.to.have.length(before + 2);
    });
  }

  it('applies the other rules when one of them fails, and logs which one', async () => {
    const { db } = database;
    for (const table of ['idempotency_keys', 'company_logos']) await insert(table, 1, 2, `now() - interval '40 days'`);
    await db.raw(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`);
    await db.raw('create trigger refused before delete on idempotency_keys for each row execute function refuse()');
    const lines: string[] = [];
    const log = createLogger({ level: 'error', write: (line) => lines.push(line) });
    await applyRetention({ ...depsOf(db), log });
    expect(await db('company_logos')).to.deep.equal([]);
    expect(await db('idempotency_keys')).to.have.length(2);
    expect(lines.map((line) => JSON.parse(line).what)).to.deep.equal(['idempotency_keys']);
  });

  it('removes the flows of a session together with the session', async () => {
    await insert('connect_sessions', 1, 1, "now() - interval '2 days'");
    const { integration_id } = await database.db('connections').first();
    await database.db.raw(
      `insert into authorization_flows
         (environment_id, session_id, integration_id, state_hash, browser_hash, secrets, expires_at)
       select environment_id, id, ?, token_hash, token_hash, '', expires_at from connect_sessions`,
      [integration_id],
    );
    await applyRetention(depsOf(database.db));
    expect(await database.db('authorization_flows')).to.deep.equal([]);
  });

  for (const [what, query] of Object.entries(LOOK_UPS)) {
    it(`finds ${what} without reading the whole table`, async () => {
      const plan = await database.db.transaction(async (trx) => {
        await trx.raw('set local enable_seqscan = off'); // otherwise Postgres scans an empty table
        const { rows }: { rows: { 'QUERY PLAN': string }[] } = await trx.raw(`explain ${query}`);
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      });
      expect(plan)
        .to.match(/Index Cond/)
        .and.not.to.contain('Seq Scan');
    });
  }
});

describe('the retention of rows that are marked as deleted', function () {
  const database = useEach(this, cloneDatabase);

  beforeEach(async () => {
    const { db } = database;
    await insertConnection(db, {});
    const { id } = await db('environments').first('id');
    await db('connect_sessions').insert({
      environment_id: id,
      tags: '{}',
      token_hash: 'live',
      defaults: '',
      authorization_presets: '',
      overrides: '{}',
      replaces: [],
      expires_at: new Date(Date.now() + 1e9),
    });
    const id7 = '019bc5d1-8000-7a0e-8f43-2f9e6a9b7a10';
    const operation = { id: id7, type: 'proxy', operation: 'GET', status: 'success', actor_kind: 'system', summary: '' };
    await db('operation_log').insert({ ...operation, environment_id: id, created_at: new Date() });
  });

  const mark = (table: string, hoursAgo: number) =>
    database.db(table).update({ deleted_at: database.db.raw(`now() - ? * interval '1 hour'`, [hoursAgo]) });

  async function left(): Promise<readonly string[]> {
    await applyRetention(depsOf(database.db));
    const rows = await Promise.all(TABLES.map(async (table) => [table, await database.db(table).first()] as const));
    return rows.flatMap(([table, row]) => (row === undefined ? [] : [table]));
  }

  it('keeps a connection whose integration is being erased, because its clean-up is still due', async () => {
    for (const table of ['integrations', 'connections']) await mark(table, 23);
    expect(await left()).to.deep.equal(TABLES);
  });

  it('erases an integration whose erasure failed for good', async () => {
    for (const table of ['integrations', 'connections']) await mark(table, 25);
    expect(await left()).to.deep.equal(['environments', 'connect_sessions', 'operation_log']);
  });

  it('keeps an environment that is being erased', async () => {
    for (const table of ['environments', 'integrations', 'connections']) await mark(table, 23);
    expect(await left()).to.deep.equal(TABLES);
  });

  it('erases an environment whose erasure failed for good', async () => {
    await mark('environments', 25);
    expect(await left()).to.deep.equal([]);
  });
});

/** Returns the dependencies of the retention. It sends no webhooks, because no environment asks for any. */
function depsOf(db: Knex): Parameters<typeof applyRetention>[0] {
  return {
    db,
    log: createLogger({ level: 'silent' }),
    clock: new TestClock(),
    logRetentionDays: 15,
    keys: KeyRing.parse(newKeyRingText()),
    signals: {
      send: () => {
        throw new Error('nothing is to be sent');
      },
      subscribe: () => () => undefined,
      areReceived: true,
    },
    catalogue: { find: () => undefined, list: () => [], logo: async () => Buffer.alloc(0), faults: [], replacements: [] },
  };
}
