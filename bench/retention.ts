import type { Knex } from 'knex';
import { readCatalogue } from '../core/catalogue/catalogue.ts';
import { openDatabase } from '../core/db/database.ts';
import { systemClock } from '../core/kit/clock.ts';
import { KeyRing, newKeyRingText } from '../core/kit/key-ring.ts';
import { createLogger } from '../core/kit/logger.ts';
import { applyRetention } from '../core/operate/retention.ts';
import { insertAccount, insertEnvironment } from '../core/tenants/environments/environment-store.ts';
import { startPostgres15 } from '../test/support/postgres-15.ts';

const ROWS = 2_000_000;
const SCRIPTS = 20;
/**
 * The size of each message. With it, about a quarter of the messages, which all belong to one target, exceed the total size that
 * is kept for a target.
 */
const CONTENT_BYTES = 700;

/**
 * Measures how long it takes to remove many script runs and messages that exceed their limits, and how long the longest statement
 * takes.
 */
export async function run(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await startPostgres15());
  const { url } = stack.use(await server.cloneDatabase());
  const log = createLogger({ level: 'warn' });
  // The database is opened as the service opens it, so a statement that takes more than five seconds fails.
  const db = openDatabase({ url, poolSize: 2, log });
  stack.defer(() => db.destroy());
  const filling = openDatabase({ url, poolSize: 1, queryTimeoutMs: 0, log });
  await fill(filling);
  await filling.destroy();

  const longest = { ms: 0, sql: '' };
  const begunAt = new Map<string, number>();
  db.on('query', ({ __knexQueryUid: id }) => begunAt.set(id, performance.now()));
  db.on('query-response', (_response, { __knexQueryUid: id, sql }) => {
    const ms = performance.now() - (begunAt.get(id) ?? performance.now());
    if (ms > longest.ms) Object.assign(longest, { ms, sql });
  });
  const counts = async () => [await countOf(db, 'script_runs'), await countOf(db, 'webhook_messages')].join(' and ');
  const before = await counts();
  const begun = performance.now();
  longest.ms = 0;
  const signals = { send: () => undefined, subscribe: () => () => undefined, areReceived: true };
  const keys = KeyRing.parse(newKeyRingText());
  const catalogue = await readCatalogue([]);
  await applyRetention({ db, clock: systemClock, keys, signals, catalogue, log, logRetentionDays: 15 });
  const seconds = (performance.now() - begun) / 1000;
  const { ms, sql } = { ...longest };
  console.log(`  ${before} rows, then ${await counts()}, in ${seconds.toFixed(0)} s`);
  console.log(
    `  the longest statement took ${ms.toFixed(0)} ms (goal: at most 1,000 ms): ${sql.replaceAll(/\s+/g, ' ').slice(0, 120)}`,
  );
}

async function fill(db: Knex): Promise<void> {
  const { id } = await insertEnvironment(db, { accountId: await insertAccount(db, 'bench'), name: 'bench' });
  await db.raw(
    `insert into integrations (environment_id, unique_key, provider, display_name, client, mac)
     select :id, 'i' || n, 'generic-oauth', 'I', '', '' from generate_series(1, :scripts) n`,
    { id, scripts: SCRIPTS },
  );
  await db.raw(
    `insert into scripts (environment_id, integration_id, event) select environment_id, id, 'on-webhook' from integrations`,
  );
  await db.raw(
    `insert into script_runs (id, environment_id, script_id, version, status, started_at, duration_ms, memory_mb, log)
     select gen_random_uuid(), :id, s.ids[1 + n % :scripts], 1, 'done', now() - n * interval '100 milliseconds', 1, 1, '[]'
     from (select array_agg(id) as ids from scripts) s, generate_series(1, :rows) n`,
    { id, scripts: SCRIPTS, rows: ROWS },
  );
  await db('webhook_targets').insert({ environment_id: id, slot: 'primary', url: 'https://app.example' });
  await db.raw(
    `insert into webhook_messages (message_id, environment_id, target_id, type, status, content, payload_bytes, created_at, ended_at)
     select 'm' || n, :id, t.id, 'auth', 'delivered', decode(repeat('ab', :bytes), 'hex'), 0, now(), now()
     from webhook_targets t, generate_series(1, :rows) n`,
    { id, rows: ROWS, bytes: CONTENT_BYTES },
  );
  await db.raw('vacuum analyze');
}

async function countOf(db: Knex, table: string): Promise<number> {
  const { rows }: { rows: [{ count: number }] } = await db.raw('select count(*)::float8 as count from ??', [table]);
  return rows[0].count;
}
