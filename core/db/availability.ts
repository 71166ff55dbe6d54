import pg from 'pg';
import { pauseUnlessAborted } from '../kit/abortable.ts';
import type { SourceAvailability } from '../kit/loading-cache.ts';
import type { Logger } from '../kit/logger.ts';
import { clientConfig } from './client-config.ts';
import { describeDatabaseFault } from './database-fault.ts';

/**
 * Timeout and interval of the probes, in milliseconds. Together they stay below two seconds: for that long after the database is
 * back, a key that was revoked during the outage may still work.
 */
const PROBE_TIMEOUT_MS = 1_000;
const PROBE_EVERY_MS = 500;

/**
 * Tells whether the database is reachable from this process. While it is, there are no probes. A failed statement starts them;
 * each probe opens a new database connection, since a full pool is not an outage.
 */
export class DatabaseAvailability implements SourceAvailability, AsyncDisposable {
  readonly #url: string;
  readonly #log: Logger;
  readonly #listeners = new Set<() => void>();
  readonly #stopping = new AbortController();
  #isDown = false;
  #probing: Promise<void> | undefined;

  constructor({ url, log }: { url: string; log: Logger }) {
    this.#url = url;
    this.#log = log;
  }

  get isDown(): boolean {
    return this.#isDown;
  }

  reportFailure(error: unknown): boolean {
    if (describeDatabaseFault(error) === undefined) return false;
    if (!this.#stopping.signal.aborted) this.#probing ??= this.#probeUntilUp();
    return true;
  }

  onRecovery(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#probing;
  }

  async #probeUntilUp(): Promise<void> {
    while (!this.#stopping.signal.aborted && !(await this.#isReachable())) {
      if (!this.#isDown) this.#log.warn('the database is unreachable; proxied calls are served from memory');
      this.#isDown = true;
      await pauseUnlessAborted(PROBE_EVERY_MS, this.#stopping.signal);
    }
    this.#probing = undefined;
    if (!this.#isDown || this.#stopping.signal.aborted) return;
    this.#isDown = false;
    this.#log.info('the database is back');
    for (const listener of this.#listeners) listener();
  }

  async #isReachable(): Promise<boolean> {
    const client = new pg.Client({ ...clientConfig(this.#url, PROBE_TIMEOUT_MS), connectionTimeoutMillis: PROBE_TIMEOUT_MS });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('select 1');
      return true;
    } catch {
      return false;
    } finally {
      client.end().catch(() => undefined);
    }
  }
}
