import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import { openDatabase } from '../core/db/database.ts';
import { createLogger } from '../core/kit/logger.ts';
import type { Client } from '../test/support/http-client.ts';
import { Program, putLoad } from './program.ts';
import { median, quantile } from './quantile.ts';
import { type OurService, startOurService } from './service.ts';

const TIMEOUT_MS = 1_000;
const CONNECTIONS = 8;
const REQUESTS_PER_SECOND = 200;
const ROUNDS = 8;
const SECONDS = 5;
/**
 * The seconds at the start of each interval that are not measured, because latencies then include the start of the load
 * generator.
 */
const LEFT_OUT_SECONDS = 1;
const WARM_UP_SECONDS = 6;
/** How long the pool of runners is given to recover after hostile scripts, so that no idle interval includes its recovery. */
const SETTLE_MS = 1_000;
const GOAL = 1.5;

const NOBODY = 'http://127.0.0.1:9';

/**
 * Hostile scripts by integration key. Each validates the new connections of its integration, so the benchmark starts a script by
 * creating a connection and waits until the script is killed.
 */
const HOSTILE: Readonly<Record<string, string>> = {
  endless: 'export default () => { for (;;); };',
  greedy: 'export default () => { const all = []; for (;;) all.push(new Array(1e5).fill(all.length)); };',
};

/** Compares the time to read a connection while hostile scripts run with the time while none runs, in alternating intervals. */
export async function run(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const upstream = stack.use(await Program.start('upstream'));
  const env = { SVC_SCRIPT_TIMEOUT_MS: String(TIMEOUT_MS), SVC_SCRIPT_WORKERS: String(Object.keys(HOSTILE).length) };
  const service = await startOurService(stack, `http://127.0.0.1:${upstream.port}`, env);
  if (service === undefined) return;
  const db = openDatabase({ url: service.databaseUrl, poolSize: 1, queryTimeoutMs: 0, log: createLogger({ level: 'silent' }) });
  stack.defer(() => db.destroy());
  for (const [key, source] of Object.entries(HOSTILE)) await deploy(service.api, key, source);

  const [beside, idle]: [number[], number[]] = [[], []];
  await besideScripts(service, WARM_UP_SECONDS);
  await db('script_runs').delete();
  for (let round = 0; round < ROUNDS; round += 1) {
    await wait(SETTLE_MS);
    idle.push(...(await latencies(service, SECONDS)));
    beside.push(...(await besideScripts(service, SECONDS)));
  }
  await reportRuns(db);
  report(idle, beside);
}

async function deploy(api: Client, key: string, source: string): Promise<void> {
  const integration = await api.post('/integrations', {
    unique_key: key,
    // svc does not call this provider when a connection is created, so only the scripts are measured.
    provider: 'generic-oauth',
    integration_config: { authorization_url: NOBODY, token_url: NOBODY, api_base_url: NOBODY },
  });
  const script = await api.put(`/integrations/${key}/scripts/validate-connection`, { source, language: 'javascript' });
  if (integration.status !== 200 || script.status !== 200) throw new Error(`no script: ${integration.text} ${script.text}`);
}

async function latencies({ port, connectionId, integration, headers }: OurService, seconds: number): Promise<number[]> {
  const path = `/connections/${connectionId}?provider_config_key=${integration}`;
  const { authorization = '' } = headers;
  const load = { port, path, headers: { authorization }, connections: CONNECTIONS, requestsPerSecond: REQUESTS_PER_SECOND };
  const { latenciesMs } = await putLoad({ ...load, seconds });
  return latenciesMs.slice(LEFT_OUT_SECONDS * REQUESTS_PER_SECOND);
}

/** Measures latencies while each script runs again and again; when this returns, no script is running. */
async function besideScripts(service: OurService, seconds: number): Promise<number[]> {
  const over = new AbortController();
  const runs = Object.keys(HOSTILE).map((key) => keepRunning(service.api, key, over.signal));
  const measured = await latencies(service, seconds).finally(() => over.abort());
  await Promise.all(runs);
  return measured;
}

async function keepRunning(api: Client, key: string, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    const response = await api.post('/connections', {
      provider_config_key: key,
      credentials: { type: 'OAUTH2', access_token: 'example-access-token' },
    });
    if (response.status !== 400) throw new Error(`the script "${key}" was not killed: ${response.status} ${response.text}`);
  }
}

/** Prints how many scripts each limit killed, and fails unless both the memory limit and the time limit killed at least one. */
async function reportRuns(db: Knex): Promise<void> {
  const rows = await db('script_runs')
    .where({ status: 'killed' })
    .groupBy('cause')
    .orderBy('cause')
    .select('cause', db.raw('count(*)::int as runs'), db.raw('sum(duration_ms)::float8 / 1000 as seconds'));
  const causes = rows.map(({ cause, runs, seconds }) => `${runs} by ${cause} after ${seconds.toFixed(0)} s in all`);
  console.log(`  killed in ${ROUNDS} intervals of ${SECONDS} s: ${causes.join(', ')}`);
  const missing = ['memory', 'timeout'].filter((cause) => !rows.some((row) => row.cause === cause));
  if (missing.length > 0) throw new Error(`nothing was killed by: ${missing.join(', ')}`);
}

function report(idle: readonly number[], beside: readonly number[]): void {
  for (const [name, values] of Object.entries({ idle, 'beside two hostile scripts': beside })) {
    const p99 = quantile(values, 0.99).toFixed(2);
    console.log(`  ${name.padEnd(27)} p50 ${median(values).toFixed(2)} ms, p99 ${p99} ms of ${values.length} reads`);
  }
  const ratio = quantile(beside, 0.99) / quantile(idle, 0.99);
  console.log(`    p99 ÷ idle: ${ratio.toFixed(2)} (goal: at most ${GOAL.toFixed(2)})`);
}
