import type { ScriptOutcome } from '../../scripts-runtime/script-run.ts';
import { WorkTable } from '../db/work-table.ts';
import { backoffMs } from '../kit/backoff.ts';
import type { ScriptDeps } from './deps.ts';
import { recordGivenUp, runQueued } from './queued-run.ts';
import {
  claimScript,
  deleteClaimed,
  type NextRun,
  nextScriptDueMs,
  RENEW_MS,
  renewClaims,
  requeueClaimed,
} from './script-queue-store.ts';
import type { QueuedScriptRow } from './script-rows.ts';

/** Milliseconds to wait before the second and the third run of a creation script that failed. Webhook scripts run once. */
const RETRY_MS = [10_000, 60_000] as const;
/** Number of claims after which a run that never started, or crashed the process each time, is given up. */
const MAX_ATTEMPTS = 5;
const ATTEMPT_BACKOFF = { firstMs: 10_000, maxMs: 300_000 };
/** Runs are claimed for up to this many environments with a full share each; the pool schedules them fairly. */
const ENVIRONMENTS_AT_ONCE = 4;
/** Time allowed in addition to the run's timeout: for reading the script, waiting for a runner, and recording the run. */
const OVERHEAD_MS = 300_000;
/** How long the shutdown waits for running scripts: shorter than a shutdown may take, including recording the outcomes. */
const DRAIN_MS = 8_000;

/** Causes that mean that the script never started, or that this process was about to end. */
const NOT_RUN: ReadonlySet<string | undefined> = new Set(['cancelled', 'timeout_waiting', 'closed', 'unavailable', 'queue_full']);

type RunOutcome = Pick<ScriptOutcome, 'status' | 'cause'>;

const NEVER_RAN: RunOutcome = { status: 'failed', cause: 'unavailable' };

interface RunningScript {
  readonly environmentId: number;
  readonly done: Promise<void>;
}

/** Runs queued scripts, which no caller waits for. One environment never uses all workers of this process. */
export class ScriptQueue implements AsyncDisposable {
  readonly #deps: ScriptDeps;
  readonly #work: WorkTable;
  /**
   * The number of scripts that one environment may run in this process: one worker is reserved for scripts that a caller waits
   * for.
   */
  readonly #perEnvironment: number;
  readonly #running = new Map<number, RunningScript>();
  readonly #stopping = new AbortController();
  #renewing: NodeJS.Timeout | undefined;
  #stopped: Promise<void> | undefined;

  constructor(deps: ScriptDeps) {
    this.#deps = deps;
    this.#perEnvironment = Math.max(1, deps.scriptRunner.limits.workers - 1);
    const { signals, log } = deps;
    this.#work = new WorkTable({ signals, log, topic: 'script-queue', look: (signal) => this.#look(signal) });
  }

  start(): void {
    this.#renewing = setInterval(() => void this.#renew(), RENEW_MS).unref();
    this.#work.start();
  }

  /** Stops claiming and waits up to 8 s for running scripts; the others are cancelled and due again. */
  stop(): Promise<void> {
    this.#stopped ??= this.#drain();
    return this.#stopped;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #look(signal: AbortSignal): Promise<number | undefined> {
    while (!signal.aborted && this.#running.size < this.#perEnvironment * ENVIRONMENTS_AT_ONCE) {
      const row = await claimScript(this.#deps.db, {
        fullEnvironments: this.#fullEnvironments(),
        running: [...this.#running.keys()],
      });
      if (row === undefined) return await nextScriptDueMs(this.#deps.db);
      this.#running.set(row.id, { environmentId: row.environment_id, done: this.#run(row) });
    }
    return undefined;
  }

  #fullEnvironments(): number[] {
    const counts = Map.groupBy(this.#running.values(), ({ environmentId }) => environmentId);
    return [...counts].flatMap(([id, running]) => (running.length >= this.#perEnvironment ? id : []));
  }

  /** Runs a claimed script. Never rejects. */
  async #run(row: QueuedScriptRow): Promise<void> {
    const { log, scriptRunner } = this.#deps;
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(scriptRunner.limits.timeoutMs + OVERHEAD_MS)]);
    try {
      // The script may have crashed each process that claimed it.
      const isExhausted = row.attempts - row.failures > MAX_ATTEMPTS;
      const outcome = isExhausted
        ? NEVER_RAN
        : await runQueued(this.#deps, row, signal).catch((error: unknown) => {
            log.error('a queued script run could not be executed', { error });
            return NEVER_RAN;
          });
      await this.#record(row, outcome);
    } catch (error) {
      log.warn('the outcome of a queued script run could not be stored; the script runs again when the lease expires', { error });
    }
    this.#running.delete(row.id);
    this.#work.request();
  }

  async #record(row: QueuedScriptRow, outcome: RunOutcome | undefined): Promise<void> {
    const { db, signals } = this.#deps;
    const next = this.#nextRun(row, outcome);
    if (next === undefined) {
      if (outcome === NEVER_RAN) await this.#recordGivenUp(row);
      return await deleteClaimed(db, row);
    }
    await requeueClaimed(db, row, next);
    if (next.waitMs === 0) signals.send(db, 'script-queue');
  }

  /** Never rejects: what cannot be read must not stay in the queue. */
  async #recordGivenUp(row: QueuedScriptRow): Promise<void> {
    await recordGivenUp(this.#deps, row).catch((error: unknown) =>
      this.#deps.log.warn('a script run that was given up could not be recorded', { error }),
    );
  }

  #nextRun({ webhook, failures, attempts }: QueuedScriptRow, outcome: RunOutcome | undefined): NextRun | undefined {
    if (outcome === undefined || outcome.status === 'done') return undefined;
    if (!NOT_RUN.has(outcome.cause)) {
      const waitMs = webhook === null ? RETRY_MS[failures] : undefined;
      return waitMs === undefined ? undefined : { failures: failures + 1, waitMs };
    }
    const notRun = attempts - failures;
    if (notRun < MAX_ATTEMPTS)
      return { failures, waitMs: this.#stopping.signal.aborted ? 0 : backoffMs(notRun, this.#deps.random, ATTEMPT_BACKOFF) };
    this.#deps.log.error('a queued script run was given up after too many attempts', { attempts, cause: outcome.cause });
    return undefined;
  }

  async #renew(): Promise<void> {
    if (this.#running.size === 0) return;
    await renewClaims(this.#deps.db, [...this.#running.keys()]).catch((error: unknown) =>
      this.#deps.log.warn('the leases of script runs could not be extended; this is retried in 10 s', { error }),
    );
  }

  async #drain(): Promise<void> {
    await this.#work.stop();
    const late = setTimeout(() => this.#stopping.abort(new DOMException('the service stops', 'AbortError')), DRAIN_MS);
    await Promise.all(this.#running.values().map(({ done }) => done));
    clearTimeout(late);
    clearInterval(this.#renewing);
  }
}
