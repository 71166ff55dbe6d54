import { ScriptHost } from '../../scripts-runtime/host.ts';
import type { ScriptOutcome, ScriptRun } from '../../scripts-runtime/script-run.ts';
import type { Logger } from '../kit/logger.ts';

export interface ScriptLimits {
  /** Wall clock of one run. */
  readonly timeoutMs: number;
  /** Of one run. */
  readonly memoryMb: number;
  /** Concurrent scripts. */
  readonly workers: number;
}

interface RunnerOptions {
  readonly limits: ScriptLimits;
  readonly log: Logger;
}

export interface RunRequest extends Omit<ScriptRun, 'environmentKey' | 'limits'> {
  readonly environmentId: number;
  /** Shorter than the configured timeout. */
  readonly timeoutMs?: number | undefined;
}

/** The pool of this process for scripts. No child is started before the first run, and none outlives the service. */
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

  /** Failures of the script are outcomes. Rejects only if `args` are not plain data. */
  run({ environmentId, timeoutMs = this.limits.timeoutMs, ...run }: RunRequest): Promise<ScriptOutcome> {
    const limits = { timeoutMs: Math.min(timeoutMs, this.limits.timeoutMs), memoryMb: this.limits.memoryMb };
    return this.#host.run({ ...run, environmentKey: `environment-${environmentId}`, limits });
  }

  /** Process IDs of the pool. */
  pids(): readonly number[] {
    return this.#host.pids();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host.close();
  }
}
