import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { pauseUnlessAborted } from '../../kit/abortable.ts';
import { backoffMs } from '../../kit/backoff.ts';
import type { Logger } from '../../kit/logger.ts';
import { stopLeftoverServer } from './leftover-server.ts';
import { hasEnded, type ServerPlan, startServer, stopServer } from './postgres-server.ts';

const RESTART_BACKOFF = { firstMs: 100, maxMs: 5000 };

/** A running server that is started again whenever it ends unexpectedly, until it is disposed. */
export class SupervisedServer implements AsyncDisposable {
  readonly #plan: ServerPlan;
  readonly #log: Logger;
  readonly #stopping = new AbortController();
  #server: ChildProcess;
  readonly #watch: Promise<void>;
  /** Signals the server to stop: a process that exits in a hurry cannot wait for its server. */
  readonly #tellToStop = () => void this.#server.kill('SIGINT');

  private constructor(plan: ServerPlan, server: ChildProcess, log: Logger) {
    this.#plan = plan;
    this.#server = server;
    this.#log = log;
    process.on('exit', this.#tellToStop);
    this.#watch = this.#restartWheneverItEnds();
  }

  /** Starts the server. @throws EmbeddedPostgresError if this first start fails; later ones are retried */
  static async start(plan: ServerPlan, log: Logger): Promise<SupervisedServer> {
    return new SupervisedServer(plan, await startServer(plan), log);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await stopServer(this.#server);
    await this.#watch;
    // A restart that was in progress may have started another server, which must be stopped, too.
    await stopServer(this.#server);
    process.off('exit', this.#tellToStop);
  }

  async #restartWheneverItEnds(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      if (!hasEnded(this.#server)) await once(this.#server, 'exit');
      if (this.#stopping.signal.aborted) return;
      const { exitCode, signalCode } = this.#server;
      this.#log.error('the embedded database stopped unexpectedly and is restarted', { exitCode, signalCode });
      await this.#restart();
    }
  }

  async #restart(): Promise<void> {
    for (let failures = 1; !this.#stopping.signal.aborted; failures += 1) {
      try {
        await stopLeftoverServer(this.#plan.directory.cluster);
        this.#server = await startServer(this.#plan);
        return;
      } catch (error) {
        this.#log.error('the embedded database does not start', { error });
        await pauseUnlessAborted(backoffMs(failures, Math.random, RESTART_BACKOFF), this.#stopping.signal);
      }
    }
  }
}
