import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import { openDatabase } from '../core/db/database.ts';
import { findRunning } from '../core/db/embedded-postgres/embedded-postgres.ts';
import { createLogger } from '../core/kit/logger.ts';
import { temporaryDiskFolder } from '../test/support/folders.ts';
import { type Client, client } from '../test/support/http-client.ts';
import { type ServiceProcess, startService } from '../test/support/processes.ts';
import { newServiceEnv } from '../test/support/service-env.ts';
import { Program, putLoad } from './program.ts';
import { quantile } from './quantile.ts';

const CONNECTIONS = 10_000;
const CALLERS = 8;
const PROVIDER_MS = 50;
const READS_PER_SECOND = 50;
const LOAD_SECONDS = 10;
const GOAL_SECONDS = 600;
const KEY = 'renewing';

/**
 * Measures how long two instances take to refresh connections that all expire in the same minute, and the latency of reads from
 * one of them during that time.
 */
export async function run(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const provider = stack.use(await Program.start('token-endpoint', [String(PROVIDER_MS)]));
  const { first, apiKey, db } = await startTwo(stack);
  const api = client(first.url, apiKey);
  await createIntegration(api, provider.port);
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => importShare(api, caller)));

  await db('connections').update({
    expires_at: db.raw(`now() + interval '1 minute'`),
    refreshed_at: db.raw(`now() - interval '1 hour'`),
  });
  const fresh = new AbortController();
  const started = performance.now();
  const renewed = untilFresh(db).finally(() => fresh.abort());
  const latencies = await readUntil(fresh.signal, { port: Number(new URL(first.url).port), apiKey });
  const seconds = ((await renewed) - started) / 1000;
  const { count } = (await db('connections').whereNot({ state: 'healthy' }).count<{ count: number }[]>('* as count'))[0] ?? {
    count: 0,
  };
  console.log(
    `  ${CONNECTIONS} connections: all fresh after ${seconds.toFixed(0)} s (goal: at most ${GOAL_SECONDS} s), ${count} unhealthy`,
  );
  const p99 = quantile(latencies, 0.99).toFixed(1);
  console.log(`  API meanwhile: p50 ${quantile(latencies, 0.5).toFixed(1)} ms, p99 ${p99} ms of ${latencies.length} reads`);
}

interface TwoInstances {
  readonly first: ServiceProcess;
  readonly apiKey: string;
  readonly db: Knex;
}

/** Starts two instances; the second uses the embedded database of the first. */
async function startTwo(stack: AsyncDisposableStack): Promise<TwoInstances> {
  const { path: dataDir } = stack.use(await temporaryDiskFolder());
  const env = { ...newServiceEnv(), SVC_DATA_DIR: dataDir, SVC_LOG_LEVEL: 'warn' };
  const first = stack.use(await startService({ env }));
  const url = (await findRunning({ dataDir, explicitDataDir: true }))?.url ?? '';
  stack.use(await startService({ env: { ...env, DATABASE_URL: url } }));
  const db = openDatabase({ url, poolSize: 1, queryTimeoutMs: 0, log: createLogger({ level: 'silent' }) });
  stack.defer(() => db.destroy());
  return { first, apiKey: env.SVC_BOOTSTRAP_API_KEY, db };
}

async function createIntegration(api: Client, port: number): Promise<void> {
  const provider = `http://127.0.0.1:${port}`;
  const response = await api.post('/integrations', {
    unique_key: KEY,
    provider: 'generic-oauth',
    credentials: { type: 'OAUTH2', client_id: 'bench', client_secret: 'bench' },
    integration_config: { authorization_url: provider, token_url: provider, api_base_url: provider },
  });
  if (response.status !== 200) throw new Error(`no integration: ${response.text}`);
}

async function importShare(api: Client, caller: number): Promise<void> {
  for (let index = caller; index < CONNECTIONS; index += CALLERS) {
    const credentials = { type: 'OAUTH2', access_token: `token-${index}`, refresh_token: `refresh-${index}` };
    const response = await api.post('/connections', { provider_config_key: KEY, connection_id: `one-${index}`, credentials });
    if (response.status !== 200) throw new Error(`an import failed: ${response.status} ${response.text}`);
  }
}

/** Waits until every connection is fresh. @returns the time when the last one was refreshed, as `performance.now()` returns it */
async function untilFresh(db: Knex): Promise<number> {
  const due = () => db('connections').whereRaw(`expires_at < now() + interval '30 minutes'`).first('id');
  while ((await due()) !== undefined) await wait(500);
  return performance.now();
}

/** Reads a connection repeatedly until the signal aborts. @returns the duration of each read, in milliseconds */
async function readUntil(
  over: AbortSignal,
  { port, apiKey }: { readonly port: number; readonly apiKey: string },
): Promise<readonly number[]> {
  const path = `/connections/one-0?provider_config_key=${KEY}`;
  const load = { port, path, headers: { authorization: `Bearer ${apiKey}` }, connections: CALLERS };
  const latencies: number[] = [];
  while (!over.aborted)
    latencies.push(...(await putLoad({ ...load, seconds: LOAD_SECONDS, requestsPerSecond: READS_PER_SECOND })).latenciesMs);
  return latencies;
}
