import { setTimeout as wait } from 'node:timers/promises';
import { openDatabase } from '../../../core/db/database.ts';
import { findRunning } from '../../../core/db/embedded-postgres/embedded-postgres.ts';
import { createLogger } from '../../../core/kit/logger.ts';
import { sweep } from '../../support/canaries.ts';
import { temporaryDiskFolder } from '../../support/folders.ts';
import { type Client, client } from '../../support/http-client.ts';
import { handlesOf, ownResidentBytes } from '../../support/process-facts.ts';
import { PROGRAM, startService } from '../../support/processes.ts';
import { newServiceEnv } from '../../support/service-env.ts';
import { deploy } from '../../support/user-scripts.ts';
import { CRASHING_SCRIPT, Faults } from './faults.ts';
import { MixedLoad } from './mixed-load.ts';
import { World } from './world.ts';

const CALLS_PER_SECOND = 20;
const CONNECTIONS = 200;
const TOKEN_SECONDS = 300;
const GRACE_SECONDS = 120;
const SCRIPT_TIMEOUT_MS = 2_000;
const SAMPLE_MS = 5_000;
const FAULT_EVERY_MS = 15_000;
const MINUTE_MS = 60_000;
/** The part at the beginning in which caches fill and code is compiled. */
const WARM_UP_SHARE = 1 / 3;
const MIB = 1_024 * 1_024;
const HOUR_MS = 3_600_000;
const RESTARTED = 'the embedded database stopped unexpectedly and is restarted';
/** Matches errors of a database that was shut down without notice, or is starting (Postgres documentation, appendix A). */
const DATABASE_AWAY = /57P0[123]|ECONNRE|ENOENT|EPIPE|Connection terminated|not queryable|the database does not respond/;

interface Sample {
  readonly at: number;
  /** The resident memory of the service's own process, in MiB; its database and scripts are processes of their own. */
  readonly memory: number;
  readonly handles: number;
}

export interface SoakFigures {
  readonly calls: number;
  /** How many calls failed, by the status of the response. */
  readonly failed: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<string, number>>;
  /** How fast the memory grows after the warm-up, in MiB an hour, as the slope of the line of least squares. */
  readonly growth: number;
  /** The memory, in MiB, at the end of the warm-up and at the end, each as the mean of a tenth of the time. */
  readonly memory: readonly [number, number];
  /** The fewest open handles in these times: many calls at once open sockets for a while, a leak keeps its handles. */
  readonly handles: readonly [number, number];
  /** The messages of log lines of level `error` that the restarts of the database do not explain, each once. */
  readonly errors: readonly string[];
  readonly leakedSecrets: number;
}

/** Runs a mixed load with faults on a service with an embedded database. @param tell is called every minute */
export async function soak(seconds: number, tell: (line: string) => void): Promise<SoakFigures> {
  await using opened = new AsyncDisposableStack();
  const world = opened.use(
    await World.open({ accessTokenTtlSeconds: TOKEN_SECONDS, rotation: 'grace', graceSeconds: GRACE_SECONDS }),
  );
  const { path: dataDir } = opened.use(await temporaryDiskFolder());
  const script = { SVC_SCRIPT_TIMEOUT_MS: String(SCRIPT_TIMEOUT_MS) };
  const env = { ...newServiceEnv(), ...world.env, ...script, SVC_DATA_DIR: dataDir };
  const service = opened.use(await startService({ env, command: PROGRAM }));
  const api = client(service.url, env.SVC_BOOTSTRAP_API_KEY);
  await setUp(world, { url: service.url, api, dataDir });
  const load = new MixedLoad({ world, url: service.url, apiKey: env.SVC_BOOTSTRAP_API_KEY, perSecond: CALLS_PER_SECOND });
  const faults = new Faults(world, dataDir);
  const over = new AbortController();
  const injecting = faults.inject(FAULT_EVERY_MS, over.signal);
  load.start();
  const samples = await watch(service.pid ?? 0, seconds, async (sample) => {
    tell(describe(sample, load, faults));
    await forget(world, load, api);
  });
  over.abort();
  await injecting;
  await load.stop();
  const { output } = service;
  return {
    ...figuresOf(samples),
    ...loadFigures(load),
    faults: { ...faults.counts },
    errors: errorsIn(output.stdout),
    leakedSecrets: sweep(output).length,
  };
}

async function setUp(world: World, { dataDir, ...service }: { url: string; api: Client; dataDir: string }): Promise<void> {
  const { url = '' } = (await findRunning({ dataDir, explicitDataDir: true })) ?? {};
  const db = openDatabase({ url, log: createLogger({ level: 'silent' }) });
  try {
    await world.setUp({ ...service, db }, CONNECTIONS);
  } finally {
    await db.destroy();
  }
  await deploy(service, { event: 'post-connection-creation', source: CRASHING_SCRIPT });
}

async function watch(pid: number, seconds: number, onMinute: (sample: Sample) => Promise<void>): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  const startedAt = performance.now();
  for (let minute = 1; performance.now() < startedAt + seconds * 1_000; ) {
    await wait(SAMPLE_MS);
    const sample = { at: performance.now(), memory: ownResidentBytes(pid) / MIB, handles: handlesOf(pid).length };
    samples.push(sample);
    if (sample.at < startedAt + minute * MINUTE_MS) continue;
    minute += 1;
    await onMinute(sample);
  }
  return samples;
}

/** Deletes the imported connections and what the test has recorded, so that neither side grows by the test's own doing. */
async function forget({ provider, application, key }: World, load: MixedLoad, api: Client): Promise<void> {
  for (const id of load.imported.keys()) {
    const deleted = await api.delete(`/connections/${id}?provider_config_key=${key}`).catch(() => undefined);
    if (deleted !== undefined && deleted.status < 500) load.imported.delete(id);
  }
  provider.ledger.entries.length = 0;
  application.ledger.entries.length = 0;
}

function describe({ memory, handles }: Sample, { sent, failed }: MixedLoad, { counts }: Faults): string {
  return `${memory.toFixed(1)} MiB, ${handles} handles, ${sent} calls, ${failed.length} failed, ${JSON.stringify(counts)}`;
}

function figuresOf(all: readonly Sample[]): Pick<SoakFigures, 'growth' | 'memory' | 'handles'> {
  const samples = all.slice(Math.floor(all.length * WARM_UP_SHARE));
  const tenth = Math.ceil(samples.length / 10);
  const ends = [samples.slice(0, tenth), samples.slice(-tenth)];
  const [memory = [], handles = []] = [
    ends.map((part) => mean(part.map((sample) => sample.memory))),
    ends.map((part) => Math.min(...part.map((sample) => sample.handles))),
  ];
  return { growth: slope(samples), memory: pair(memory), handles: pair(handles) };
}

function pair([first = Number.NaN, last = Number.NaN]: readonly number[]): readonly [number, number] {
  return [first, last];
}

function slope(samples: readonly Sample[]): number {
  const [at, memory] = [mean(samples.map((sample) => sample.at)), mean(samples.map((sample) => sample.memory))];
  const covariance = samples.reduce((sum, sample) => sum + (sample.at - at) * (sample.memory - memory), 0);
  return (covariance / samples.reduce((sum, sample) => sum + (sample.at - at) ** 2, 0)) * HOUR_MS;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function loadFigures({ sent, failed }: MixedLoad): Pick<SoakFigures, 'calls' | 'failed'> {
  const counts: Record<string, number> = {};
  for (const { outcome } of failed) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return { calls: sent, failed: counts };
}

function errorsIn(log: string): readonly string[] {
  const lines = log.split('\n').filter((line) => line.startsWith('{'));
  const errors = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');
  const isExplained = ({ message, error }: { message: string; error?: unknown }) =>
    message === RESTARTED || DATABASE_AWAY.test(JSON.stringify(error) ?? '');
  return [...new Set(errors.filter((line) => !isExplained(line)).map(({ message }) => message))];
}
