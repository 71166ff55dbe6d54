import { listConnections } from '../core/connections/connection-list-store.ts';
import { openDatabase } from '../core/db/database.ts';
import { createLogger } from '../core/kit/logger.ts';
import { Program } from './program.ts';
import { quantile } from './quantile.ts';
import { startOurService } from './service.ts';

const CONNECTIONS = 100_000;
const USERS = 10_000;
const QUERIES = 500;
const GOAL_MS = 10;

/** Measures the query by which the API lists connections with a tag, among many connections. */
export async function run(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const upstream = stack.use(await Program.start('upstream'));
  const service = await startOurService(stack, `http://127.0.0.1:${upstream.port}`);
  if (service === undefined) return;
  const log = createLogger({ level: 'silent' });
  const db = openDatabase({ url: service.databaseUrl, poolSize: 1, queryTimeoutMs: 0, log });
  stack.defer(() => db.destroy());
  // All connections are copies of the first one; listing reads no credentials, so it does not matter that all have the same.
  await db.raw(
    `insert into connections (environment_id, integration_id, connection_id, credentials, tags)
     select environment_id, integration_id, 'copy-' || n, credentials, jsonb_build_object('end_user_id', 'user-' || n % ?)
     from connections, generate_series(1, ?) n where connection_id = ?`,
    [USERS, CONNECTIONS, service.connectionId],
  );
  await db.raw('analyze connections');
  const first = await db('connections').first('environment_id');

  const milliseconds: number[] = [];
  for (let query = 0; query < QUERIES; query += 1) {
    const started = performance.now();
    const { rows } = await listConnections(db, first.environment_id, { tags: { end_user_id: `user-${query}` }, limit: 1001 });
    milliseconds.push(performance.now() - started);
    if (rows.length !== CONNECTIONS / USERS) throw new Error(`${rows.length} rows`);
  }
  const [p50, p99] = [quantile(milliseconds, 0.5), quantile(milliseconds, 0.99)];
  console.log(`  by tag among ${CONNECTIONS}: p50 ${p50.toFixed(2)} ms (goal: at most ${GOAL_MS} ms), p99 ${p99.toFixed(2)} ms`);
}
