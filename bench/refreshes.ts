import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import { claimDue } from '../core/credentials/lease-store.ts';
import { openDatabase } from '../core/db/database.ts';
import { findRunning } from '../core/db/embedded-postgres/embedded-postgres.ts';
import { createLogger } from '../core/kit/logger.ts';
import { temporaryDiskFolder } from '../test/support/folders.ts';
import { type Client, client } from '../test/support/http-client.ts';
import { startService } from '../test/support/processes.ts';
import { newServiceEnv } from '../test/support/service-env.ts';
import { cpuSeconds } from './process-tree.ts';
import { Program } from './program.ts';
import { quantile } from './quantile.ts';

const ORIGINS = 20;
const CONNECTIONS = 3_000;
const CALLERS = 8;
const WARM_UP_MS = 4_000;
const MEASURED_MS = 12_000;
const DUE_OF_FULL_ORIGIN = 100_000;
const CLAIMS = 50;

/**
 * Measures refreshes that no caller waits for: how many of them one and several workers complete per second, and how long it
 * takes to claim due rows that come after those of an origin that does not respond.
 */
export async function run(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const { env, api, db } = await start(stack);
  const slow = await rates({ env, api, db }, { delayMs: 2_000, atOnce: 25, workers: [1, 4] });
  const [one = 0, four = 0] = slow.map(({ perSecond }) => perSecond);
  console.log(
    `  a provider of 2 s, 25 calls a worker, ${ORIGINS} origins: ${one.toFixed(1)}/s, four workers ${four.toFixed(1)}/s, ` +
      `${(four / one).toFixed(2)} times as many (goal: at least 3.5)`,
  );
  const [quick] = await rates({ env, api, db }, { delayMs: 300, atOnce: 50, workers: [1] });
  console.log(
    `  a provider of 300 ms, 50 calls, one worker: ${quick?.perSecond.toFixed(0)}/s (goal: at least 100/s), ` +
      `${quick?.perCpuSecond.toFixed(0)} for each second of the worker's processor time`,
  );
  const claims = await timeClaims(db);
  console.log(
    `  a claim with ${DUE_OF_FULL_ORIGIN} due rows of a full origin in front: p50 ${quantile(claims, 0.5).toFixed(1)} ms, ` +
      `p99 ${quantile(claims, 0.99).toFixed(1)} ms (goal: at most 50 ms)`,
  );
}

interface Started {
  readonly env: Readonly<Record<string, string>>;
  readonly api: Client;
  readonly db: Knex;
}

/** Starts a service without workers, so that it refreshes no connections by itself. */
async function start(stack: AsyncDisposableStack): Promise<Started> {
  const { path: dataDir } = stack.use(await temporaryDiskFolder());
  const env = { ...newServiceEnv(), SVC_OUTBOUND_ALLOW: '127.0.0.0/8', SVC_LOG_LEVEL: 'warn' };
  const service = stack.use(await startService({ env: { ...env, SVC_DATA_DIR: dataDir, SVC_ROLE: 'web' } }));
  const url = (await findRunning({ dataDir, explicitDataDir: true }))?.url ?? '';
  const db = openDatabase({ url, poolSize: 1, queryTimeoutMs: 0, log: createLogger({ level: 'silent' }) });
  stack.defer(() => db.destroy());
  return { env: { ...env, DATABASE_URL: url }, api: client(service.url, env.SVC_BOOTSTRAP_API_KEY), db };
}

interface Measured {
  readonly delayMs: number;
  readonly atOnce: number;
  /** The numbers of worker processes to measure with, one number after another. */
  readonly workers: readonly number[];
}

interface Rate {
  readonly perSecond: number;
  readonly perCpuSecond: number;
}

async function rates({ env, api, db }: Started, { delayMs, atOnce, workers }: Measured): Promise<readonly Rate[]> {
  await using provider = await Program.start('token-endpoint', [String(delayMs), String(ORIGINS)]);
  await integrate(api, provider.port);
  const found: Rate[] = [];
  for (const count of workers) found.push(await rateOf({ env, db }, { atOnce, count }));
  for (let number = 1; number <= ORIGINS; number += 1) await api.delete(`/integrations/origin-${number}`);
  await db('connections').delete();
  return found;
}

async function rateOf(
  { env, db }: Pick<Started, 'env' | 'db'>,
  { atOnce, count }: { readonly atOnce: number; readonly count: number },
): Promise<Rate> {
  await using stack = new AsyncDisposableStack();
  await db('refreshes').update({ due_at: db.raw(`now() - interval '1 minute'`) });
  const started = await Promise.all(
    Array.from({ length: count }, () => Program.start('refresh-worker', [String(atOnce)], { ...env, SVC_ROLE: 'worker' })),
  );
  for (const worker of started) stack.use(worker);
  await wait(WARM_UP_MS);
  const cpuOf = async () => (await Promise.all(started.map(({ pid }) => cpuSeconds(pid)))).reduce((sum, one) => sum + one, 0);
  const [cpuBefore, before, begun] = [await cpuOf(), await refreshed(db), performance.now()];
  await wait(MEASURED_MS);
  const refreshedCount = (await refreshed(db)) - before;
  const seconds = (performance.now() - begun) / 1000;
  return { perSecond: refreshedCount / seconds, perCpuSecond: refreshedCount / ((await cpuOf()) - cpuBefore) };
}

async function refreshed(db: Knex): Promise<number> {
  const { rows }: { rows: { count: number }[] } = await db.raw('select sum(generation)::float8 as count from refreshes');
  return rows[0]?.count ?? 0;
}

async function integrate(api: Client, port: number): Promise<void> {
  for (let number = 1; number <= ORIGINS; number += 1) {
    const provider = `http://127.0.0.${number}:${port}`;
    const response = await api.post('/integrations', {
      unique_key: `origin-${number}`,
      provider: 'generic-oauth',
      credentials: { type: 'OAUTH2', client_id: 'bench', client_secret: 'bench' },
      integration_config: { authorization_url: provider, token_url: provider, api_base_url: provider },
    });
    if (response.status !== 200) throw new Error(`no integration: ${response.text}`);
  }
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => importShare(api, caller)));
}

async function importShare(api: Client, caller: number): Promise<void> {
  for (let index = caller; index < CONNECTIONS; index += CALLERS) {
    const credentials = { type: 'OAUTH2', access_token: `token-${index}`, refresh_token: `refresh-${index}` };
    const body = { provider_config_key: `origin-${1 + (index % ORIGINS)}`, connection_id: `one-${index}`, credentials };
    const response = await api.post('/connections', body);
    if (response.status !== 200) throw new Error(`an import failed: ${response.status} ${response.text}`);
  }
}

/**
 * Measures claims of due rows behind many rows that must wait: those of an origin at which ten calls hang, the most that svc
 * makes to one origin at once.
 *
 * @returns the duration of each claim in milliseconds
 */
async function timeClaims(db: Knex): Promise<readonly number[]> {
  await db.raw(
    `insert into connections (environment_id, integration_id, connection_id, credentials)
     select environment_id, id, 'due-' || n, '' from (select environment_id, id from integrations limit 1) i,
       generate_series(1, :count) n`,
    { count: DUE_OF_FULL_ORIGIN + 1_000 },
  );
  await db.raw(
    `insert into refreshes (connection_id, environment_id, generation, token_origin, due_at, owner, leased_at, lease_until)
     select id, environment_id, 1, case when n <= :count then 'https://silent.example' else 'https://origin-' || n % 20 end,
       now() - interval '1 hour' + n * interval '1 millisecond',
       case when n <= 10 then 'somebody' end, case when n <= 10 then now() - interval '1 minute' end,
       case when n <= 10 then now() + interval '1 hour' end
     from (select id, environment_id, row_number() over (order by id) as n from connections) c`,
    { count: DUE_OF_FULL_ORIGIN },
  );
  await db.raw('vacuum analyze refreshes');
  const times: number[] = [];
  for (let claim = 0; claim < CLAIMS; claim += 1) {
    const owners = Array.from({ length: 20 }, (_, number) => `bench/${claim}-${number}`);
    const begun = performance.now();
    const rows = await claimDue(db, { room: { rows: 20, groups: new Map(), perGroup: 10 }, owners, leaseSeconds: 30 });
    times.push(performance.now() - begun);
    if (rows.length !== 20) throw new Error(`${rows.length} rows were claimed`);
  }
  return times;
}
