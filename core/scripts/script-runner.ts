import { ScriptHost } from '../../scripts-runtime/host.ts';
import type { ScriptOutcome, ScriptRun } from '../../scripts-runtime/script-run.ts';
import type { Logger } from '../kit/logger.ts';

export interface ScriptLimits {
  /** Time limit of one run, by the wall clock. */
  readonly timeoutMs: number;
  /** Memory limit of one run. */
  readonly memoryMb: number;
  /** Maximum number of concurrent scripts. */
  readonly workers: number;
}

interface RunnerOptions {
  readonly limits: ScriptLimits;
  readonly log: Logger;
}

interface RunRequest extends Omit<ScriptRun, 'environmentKey' | 'limits'> {
  readonly environmentId: number;
  /** A timeout shorter than the configured one. */
  readonly timeoutMs?: number | undefined;
}

/**
 * The pool of child processes that run this process's scripts. No child is started before the first run, and none outlives the
 * service.
 */
export class ScriptRunner implements AsyncDisposable {
  readonly limits: ScriptLimits;
  readonly #host: ScriptHost;

  constructor({ limits, log }: RunnerOptions) {
    this.limits = limits;
    this.#host = new ScriptHost({
      workers: limits.workers,
      onFailedStart: (stderr) => log.error('no process for scripts could be started', { stderr }),
    });
  }

  /** Runs a script. Failures of the script are outcomes: rejects only if `args` are not plain data. */
  run({ environmentId, timeoutMs = this.limits.timeoutMs, ...run }: RunRequest): Promise<ScriptOutcome> {
    const limits = { timeoutMs: Math.min(timeoutMs, this.limits.timeoutMs), memoryMb: this.limits.memoryMb };
    return this.#host.run({ ...run, environmentKey: `environment-${environmentId}`, limits });
  }

  /** Returns the process IDs of the pool. */
  pids(): readonly number[] {
    return this.#host.pids();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host.close();
  }
}
