import { setTimeout as delay } from 'node:timers/promises';
import { FairQueue } from './fair-queue.ts';
import { KillBudget } from './kill-budget.ts';
import { type Program, readProgram } from './program.ts';
import { causeOfAbort, defaultMemoryReading, type PreparedRun, prepare, Runner, type RunnerOptions } from './runner.ts';
import { startRunner } from './runner-process.ts';
import type { Cause, ScriptOutcome, ScriptRun } from './script-run.ts';

/** Warm beyond the number that may run, so that nobody waits for a killed process to be replaced. */
const SPARES = 1;
const MAX_RUNS = 1_000;
/** V8 and the allocator keep some of what a run has used. A process that has kept this much makes room for a new one. */
const MAX_IDLE_GROWTH_BYTES = 32 * 1024 * 1024;
const MAX_QUEUED_PER_ENVIRONMENT = 10_000;
/** Characters of sources and arguments that one environment has here: thousands of requests may wait for large scripts. */
const MAX_HELD_PER_ENVIRONMENT = 64 * 1024 * 1024;
const FIRST_RESTART_MS = 100;
const LAST_RESTART_MS = 10_000;

export interface ScriptHostOptions {
  /** Scripts that may run at a time (`SVC_SCRIPT_WORKERS`). */
  readonly workers: number;
  /** After so many a process is replaced. */
  readonly maxRuns?: number;
  /** Another child than ours; only tests choose. */
  readonly program?: Program;
  /** Where the kernel cannot be asked the children report themselves; only tests choose. */
  readonly memoryReading?: RunnerOptions['memoryReading'];
  /** Called for a child that could not be started, with what it wrote on stderr. */
  readonly onFailedStart?: (stderr: string) => void;
}

export interface HostStatus {
  /** Processes that wait for a script. */
  readonly ready: number;
  readonly starting: number;
  readonly running: number;
  readonly waiting: number;
}

interface QueuedRun {
  readonly prepared: PreparedRun;
  readonly queuedAt: number;
  readonly resolve: (outcome: ScriptOutcome) => void;
}

/**
 * Runs users' scripts in a pool of child processes, and never in this one.
 *
 * Environments take turns. While others wait, one has at most all workers but one (at least one). If it took them all before
 * anybody else came, the first other script runs on the spare process at once.
 *
 * Nothing is started before the first run or `start()`. Its creator closes it.
 */
export class ScriptHost implements AsyncDisposable {
  readonly #options: ScriptHostOptions;
  readonly #runners = new Set<Runner>();
  readonly #idle = new Set<Runner>();
  /** The exits of all processes, also of those that were killed and are still there. */
  readonly #alive = new Set<Promise<string>>();
  readonly #queue = new FairQueue<QueuedRun>();
  /** Running scripts by environment. */
  readonly #running = new Map<string, number>();
  /** Characters of what waits and runs, by environment. */
  readonly #held = new Map<string, number>();
  readonly #outcomes = new Set<Promise<unknown>>();
  readonly #kills = new KillBudget();
  /** Until an environment may run again whose scripts were killed too often. */
  #pause: NodeJS.Timeout | undefined;
  #program: Program | undefined;
  #failedStarts = 0;
  #restart: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ScriptHostOptions) {
    this.#options = options;
  }

  status(): HostStatus {
    const starting = [...this.#runners].filter(({ isReady }) => !isReady).length;
    return { ready: this.#idle.size, starting, running: this.#count(), waiting: this.#queue.size };
  }

  /** Process IDs. */
  pids(): readonly number[] {
    return [...this.#runners].flatMap(({ pid }) => pid ?? []);
  }

  /** Warms the pool without waiting for it. */
  start(): void {
    this.#fill();
  }

  /**
   * Runs a script, after those that were there before and with a fair share for its environment.
   *
   * Whatever the script does is an outcome, not an error: it rejects only when `args` are no plain data.
   */
  async run(run: ScriptRun): Promise<ScriptOutcome> {
    const prepared = prepare(run);
    if (this.#isClosed) return unstarted('closed');
    if (run.signal?.aborted) return unstarted(causeOfAbort(run.signal, 'timeout_waiting'));
    const { length } = prepared.body;
    if (this.#isFull(run.environmentKey, length)) return unstarted('queue_full');
    const { promise, resolve } = Promise.withResolvers<ScriptOutcome>();
    const queued: QueuedRun = { prepared, queuedAt: performance.now(), resolve };
    const leave = (cause: Cause) => {
      if (this.#queue.remove(run.environmentKey, queued)) resolve(unstarted(cause, queued));
    };
    const onAbort = () => leave(causeOfAbort(run.signal, 'timeout_waiting'));
    const patience = run.maxWaitMs === undefined ? undefined : setTimeout(leave, run.maxWaitMs, 'timeout_waiting');
    run.signal?.addEventListener('abort', onAbort, { once: true });
    this.#queue.push(run.environmentKey, queued);
    this.#hold(run.environmentKey, length);
    this.#dispatch();
    this.#fill();
    return promise.finally(() => {
      clearTimeout(patience);
      run.signal?.removeEventListener('abort', onAbort);
      this.#hold(run.environmentKey, -length);
    });
  }

  /**
   * Refuses what waits and what comes, lets what runs end by itself, then ends every process.
   *
   * @param graceMs how long running scripts have; what is left is killed
   */
  async close(graceMs = 0): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#restart);
    clearTimeout(this.#pause);
    for (const queued of this.#queue.drain()) queued.resolve(unstarted('closed', queued));
    const grace = new AbortController();
    await Promise.race([Promise.all(this.#outcomes), delay(graceMs, undefined, { signal: grace.signal }).catch(() => {})]);
    grace.abort();
    for (const runner of [...this.#runners]) runner.kill('cancelled');
    await Promise.all(this.#alive);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #isFull(key: string, length: number): boolean {
    const isTooMuch = (this.#held.get(key) ?? 0) + length > MAX_HELD_PER_ENVIRONMENT;
    return isTooMuch || this.#queue.sizeOf(key) >= MAX_QUEUED_PER_ENVIRONMENT;
  }

  #hold(key: string, length: number): void {
    const held = (this.#held.get(key) ?? 0) + length;
    if (held > 0) this.#held.set(key, held);
    else this.#held.delete(key);
  }

  #dispatch(): void {
    while (this.#idle.size > 0) {
      const queued = this.#queue.next((key) => this.#mayRun(key));
      if (queued === undefined) {
        this.#dispatchLater();
        return;
      }
      const runner = this.#choose(queued.prepared.run.environmentKey);
      if (runner === undefined) return;
      const outcome = this.#perform(queued, runner);
      this.#outcomes.add(outcome);
      void outcome.finally(() => this.#outcomes.delete(outcome));
    }
  }

  /** When the first of those may run that wait because of their kills. */
  #dispatchLater(): void {
    clearTimeout(this.#pause);
    const pauses = this.#queue.keys.map((key) => this.#kills.waitMs(key)).filter((ms) => ms > 0);
    if (pauses.length > 0) this.#pause = setTimeout(() => this.#dispatch(), Math.ceil(Math.min(...pauses)));
  }

  async #perform({ prepared, queuedAt, resolve }: QueuedRun, runner: Runner): Promise<void> {
    const { environmentKey } = prepared.run;
    this.#idle.delete(runner);
    this.#running.set(environmentKey, this.#count(environmentKey) + 1);
    const waitedMs = Math.round(performance.now() - queuedAt);
    const outcome = await runner.run(prepared);
    const left = this.#count(environmentKey) - 1;
    if (left > 0) this.#running.set(environmentKey, left);
    else this.#running.delete(environmentKey);
    if (outcome.status === 'killed') this.#kills.spend(environmentKey);
    resolve({ ...outcome, waitedMs });
    this.#dispatch();
  }

  #mayRun(key: string): boolean {
    if (this.#kills.waitMs(key) > 0) return false;
    const { workers } = this.#options;
    const share = Math.max(1, workers - 1);
    const othersWait = this.#queue.keys.some((other) => other !== key);
    if (this.#count() < workers) return this.#count(key) < (othersWait ? share : workers);
    const isHeldByOne = [...this.#running.values()].some((held) => held === workers && held > share);
    return this.#count() === workers && isHeldByOne && this.#count(key) === 0;
  }

  #count(key?: string): number {
    if (key !== undefined) return this.#running.get(key) ?? 0;
    return [...this.#running.values()].reduce((sum, held) => sum + held, 0);
  }

  /** Rather the process that has run this environment's scripts before, then one that has run nobody's. */
  #choose(key: string): Runner | undefined {
    const idle = [...this.#idle];
    return (
      idle.find(({ environmentKey }) => environmentKey === key) ??
      idle.find(({ environmentKey }) => environmentKey === undefined) ??
      idle[0]
    );
  }

  #fill(): void {
    if (this.#isClosed || this.#restart !== undefined) return;
    // One after the other, so that the first is there soon; more only for scripts that wait.
    const mostStarting = Math.max(1, Math.min(this.#queue.size, this.#options.workers));
    while (this.#runners.size < this.#options.workers + SPARES && this.status().starting < mostStarting) {
      try {
        this.#startOne();
      } catch (error) {
        // Memory or handles are short. No caller waits for a refill.
        this.#onStartFailed(Promise.resolve(String(error)));
        return;
      }
    }
  }

  /** @throws what the system refuses at once */
  #startOne(): void {
    this.#program ??= this.#options.program ?? readProgram();
    const runner = new Runner({
      process: startRunner(this.#program.arguments),
      guest: this.#program.guest,
      memoryReading: this.#options.memoryReading ?? defaultMemoryReading,
      onIdle: (ready) => this.#onRunnerIdle(ready),
      onExit: (lost) => this.#onRunnerExit(lost),
    });
    this.#runners.add(runner);
    this.#alive.add(runner.exited);
    void runner.exited.then(() => this.#alive.delete(runner.exited));
  }

  #onRunnerIdle(runner: Runner): void {
    this.#failedStarts = 0;
    if (this.#isClosed || runner.runs >= (this.#options.maxRuns ?? MAX_RUNS) || hasGrown(runner)) {
      runner.kill();
      return;
    }
    this.#idle.add(runner);
    this.#dispatch();
    this.#fill();
  }

  #onRunnerExit(runner: Runner): void {
    this.#runners.delete(runner);
    this.#idle.delete(runner);
    if (this.#isClosed) return;
    if (runner.isReady) this.#fill();
    else this.#onStartFailed(runner.exited);
  }

  /** Nobody waits for a pool that may never come; the next attempts come less and less often. */
  #onStartFailed(stderr: Promise<string>): void {
    this.#failedStarts += 1;
    void stderr.then(this.#options.onFailedStart);
    if (this.#runners.size === 0) {
      for (const queued of this.#queue.drain()) queued.resolve(unstarted('unavailable', queued));
    }
    clearTimeout(this.#restart);
    const restart = () => {
      this.#restart = undefined;
      this.#fill();
    };
    this.#restart = setTimeout(restart, Math.min(FIRST_RESTART_MS * 2 ** (this.#failedStarts - 1), LAST_RESTART_MS));
  }
}

function hasGrown(runner: Runner): boolean {
  return runner.memoryBytes() - runner.idleBytes > MAX_IDLE_GROWTH_BYTES;
}

function unstarted(cause: Cause, queued?: QueuedRun): ScriptOutcome {
  const waitedMs = queued === undefined ? 0 : Math.round(performance.now() - queued.queuedAt);
  return { status: cause === 'cancelled' ? 'killed' : 'failed', cause, durationMs: 0, waitedMs, memoryMb: 0, log: [] };
}
