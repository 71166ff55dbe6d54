import { setTimeout as delay } from 'node:timers/promises';
import { FairQueue } from './fair-queue.ts';
import { KillBudget } from './kill-budget.ts';
import { type Program, readProgram } from './program.ts';
import { causeOfAbort, defaultMemoryReading, type PreparedRun, prepare, Runner, type RunnerOptions } from './runner.ts';
import { startRunner } from './runner-process.ts';
import type { Cause, ScriptOutcome, ScriptRun } from './script-run.ts';

/** Additional idle processes, so that no run waits for the replacement of a killed one. */
const SPARES = 1;
const MAX_RUNS = 1_000;
/** V8 and the allocator keep some memory after a run. A process that has kept this much is replaced. */
const MAX_IDLE_GROWTH_BYTES = 32 * 1024 * 1024;
const MAX_QUEUED_PER_ENVIRONMENT = 10_000;
/** Characters of sources and arguments per environment, queued and running: thousands of large scripts may be queued. */
const MAX_HELD_PER_ENVIRONMENT = 64 * 1024 * 1024;
const FIRST_RESTART_MS = 100;
const LAST_RESTART_MS = 10_000;

export interface ScriptHostOptions {
  /** Concurrent runs (`SVC_SCRIPT_WORKERS`). */
  readonly workers: number;
  /** Runs after which a process is replaced. */
  readonly maxRuns?: number;
  /** Another child program, for tests. */
  readonly program?: Program;
  /** The source of memory sizes. Default: the kernel if possible. Only tests set this. */
  readonly memoryReading?: RunnerOptions['memoryReading'];
  /** Called with the stderr of a child that could not be started. */
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
 * Environments take turns. While others wait, an environment uses at most all workers but one (at least one). If it already uses
 * all of them, the first script of another environment runs immediately, on the spare process.
 *
 * No process is started before the first run or `start()`. The creator must close the pool.
 */
export class ScriptHost implements AsyncDisposable {
  readonly #options: ScriptHostOptions;
  readonly #runners = new Set<Runner>();
  readonly #idle = new Set<Runner>();
  /** Promises of the exits of all processes, including killed ones that have not exited yet. */
  readonly #alive = new Set<Promise<string>>();
  readonly #queue = new FairQueue<QueuedRun>();
  /** Running scripts by environment. */
  readonly #running = new Map<string, number>();
  /** Characters of queued and running scripts, by environment. */
  readonly #held = new Map<string, number>();
  readonly #outcomes = new Set<Promise<unknown>>();
  readonly #kills = new KillBudget();
  /** The timer that runs until an environment whose runs were killed too often may run scripts again. */
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

  pids(): readonly number[] {
    return [...this.#runners].flatMap(({ pid }) => pid ?? []);
  }

  /** Starts processes, without waiting for them. */
  start(): void {
    this.#fill();
  }

  /**
   * Queues a script and runs it when it is its environment's turn.
   *
   * Failures of the script are outcomes, not errors: it rejects only if `args` are not plain data.
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
    const waitTimer = run.maxWaitMs === undefined ? undefined : setTimeout(leave, run.maxWaitMs, 'timeout_waiting');
    run.signal?.addEventListener('abort', onAbort, { once: true });
    this.#queue.push(run.environmentKey, queued);
    this.#hold(run.environmentKey, length);
    this.#dispatch();
    this.#fill();
    return promise.finally(() => {
      clearTimeout(waitTimer);
      run.signal?.removeEventListener('abort', onAbort);
      this.#hold(run.environmentKey, -length);
    });
  }

  /**
   * Rejects queued and new runs, waits for running ones, then ends all processes.
   *
   * @param graceMs how long to wait for running scripts; then they are killed
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

  /** Schedules the next dispatch for environments that wait because too many of their runs were killed (`KillBudget`). */
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

  /** Prefers a process that last ran scripts of this environment, then an unused one. */
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
    // Processes start one after the other, so that the first is ready soon, and several at once only for queued scripts.
    const mostStarting = Math.max(1, Math.min(this.#queue.size, this.#options.workers));
    while (this.#runners.size < this.#options.workers + SPARES && this.status().starting < mostStarting) {
      try {
        this.#startOne();
      } catch (error) {
        // The system is out of memory or handles. No caller is there to receive the error.
        this.#onStartFailed(Promise.resolve(String(error)));
        return;
      }
    }
  }

  /** @throws if the system cannot start a process */
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

  /** Rejects queued runs if there is no process left; retries with exponential backoff. */
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
