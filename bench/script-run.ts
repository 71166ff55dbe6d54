import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ScriptHost } from '../scripts-runtime/host.ts';
import type { ScriptOutcome } from '../scripts-runtime/script-run.ts';
import { median, quantile } from './quantile.ts';

const WORKERS = 2;
const COLD_RUNS = 10;
const WARM_RUNS = 300;
const WARM_UP_RUNS = 30;
const SECONDS = 10;
const RUNS_PER_SECOND = 100;
const COLD_GOAL_MS = 150;
const WARM_GOAL_MS = 8;
const RATIO_GOAL = 2;
const SCRIPT = `export default async (svc) => {
  const metadata = await svc.getMetadata();
  await svc.setMetadata({ ...metadata, runs: metadata.runs + 1 });
  return metadata.runs;
};`;

/**
 * Measures a script that reads and writes metadata: before any runner has started, with warm runners, and with many runs of two
 * environments.
 */
export async function run(): Promise<void> {
  const cold: number[] = [];
  for (let at = 0; at < COLD_RUNS; at += 1) {
    await using host = new ScriptHost({ workers: WORKERS });
    cold.push(await timed(() => runScript(host, 'one')));
  }
  console.log(
    `  cold: p50 ${median(cold).toFixed(0)} ms, p90 ${quantile(cold, 0.9).toFixed(0)} ms (goal: at most ${COLD_GOAL_MS} ms)`,
  );

  await using host = new ScriptHost({ workers: WORKERS });
  host.start();
  while (host.status().ready <= WORKERS) await delay(10);
  await compareWithBare(host);
  await sustain(host);
}

async function compareWithBare(host: ScriptHost): Promise<void> {
  await using bare = new BareIsolates();
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let at = -WARM_UP_RUNS; at < WARM_RUNS; at += 1) {
    const one = await timed(() => runScript(host, 'one'));
    const other = await bare.run();
    if (at < 0) continue;
    ours.push(one);
    theirs.push(other);
  }
  const backToBack: number[] = [];
  for (let at = 0; at < WARM_RUNS; at += 1) backToBack.push(await timed(() => runScript(host, 'one')));
  const ratio = (values: readonly number[]) => (median(values) / median(theirs)).toFixed(2);
  const p95 = quantile(ours, 0.95).toFixed(1);
  console.log(`  warm: p50 ${median(ours).toFixed(1)} ms, p95 ${p95} ms (goal: p50 at most ${WARM_GOAL_MS} ms)`);
  console.log(`  warm, back to back, with the isolate created in advance: p50 ${median(backToBack).toFixed(1)} ms`);
  console.log(
    `  a bare isolate: p50 ${median(theirs).toFixed(1)} ms; ours is ${ratio(ours)}, right after another ${ratio(backToBack)} ` +
      `times that (goal: at most ${RATIO_GOAL})`,
  );
}

/** Starts runs at a fixed rate, whether or not the previous runs have ended. */
async function sustain(host: ScriptHost): Promise<void> {
  const started = performance.now();
  const latencies: Promise<number>[] = [];
  for (let at = 0; at < SECONDS * RUNS_PER_SECOND; at += 1) {
    await delay(Math.max(0, started + (at * 1000) / RUNS_PER_SECOND - performance.now()));
    latencies.push(timed(() => runScript(host, at % 2 === 0 ? 'one' : 'other')));
  }
  const all = await Promise.all(latencies);
  const perSecond = all.length / ((performance.now() - started) / 1000);
  console.log(
    `  two environments, ${RUNS_PER_SECOND} runs/s for ${SECONDS} s: ${perSecond.toFixed(1)} runs/s done, ` +
      `p50 ${median(all).toFixed(1)} ms, p99 ${quantile(all, 0.99).toFixed(1)} ms`,
  );
}

async function runScript(host: ScriptHost, environmentKey: string): Promise<ScriptOutcome> {
  const metadata = { runs: 1 };
  const outcome = await host.run({
    environmentKey,
    source: SCRIPT,
    entry: 'default',
    facts: { connectionId: 'connection', providerConfigKey: 'key' },
    args: [],
    hostFunctions: { getMetadata: async () => metadata, setMetadata: async () => metadata },
  });
  if (outcome.status !== 'done') throw new Error(`the script did not end well: ${JSON.stringify(outcome)}`);
  return outcome;
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await act();
  return performance.now() - started;
}

class BareIsolates implements AsyncDisposable {
  readonly #process = spawn(process.execPath, [
    '--no-node-snapshot',
    fileURLToPath(new URL('programs/bare-isolate.ts', import.meta.url)),
  ]);

  async run(): Promise<number> {
    this.#process.stdin.write('\n');
    const [line] = await once(this.#process.stdout, 'data');
    return Number(String(line));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await gone;
  }
}
