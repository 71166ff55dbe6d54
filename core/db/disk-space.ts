import type { Knex } from 'knex';
import type { ServiceError } from '../errors.ts';
import { errorCode } from '../kit/error-code.ts';
import type { Logger } from '../kit/logger.ts';
import { DISK_FULL, describeDatabaseFault, diskFull } from './database-fault.ts';

const PROBE_EVERY_MS = 5_000;
/**
 * SQL that writes a megabyte to a new temporary table, which is dropped at the end of the transaction. Writing a single row would
 * prove nothing: it may fit into a page that the database already has.
 */
const PROBE = `create temp table space_probe on commit drop as select repeat('x', 1000) from generate_series(1, 1000)`;

interface DiskSpaceOptions {
  readonly db: Knex;
  readonly log: Logger;
  /**
   * Returns whether the server has reported since the last call that its disk is full; a server that crashes for that reason has
   * no other way to report it.
   */
  readonly hasRunOut?: (() => boolean) | undefined;
}

/**
 * Tells whether the disk of the database is full, as seen by this process: from the first write that fails until a probe, sent
 * every five seconds, can write again. During that time, requests whose writes fail get 503 `storage_full`, reads continue, and
 * `/ready` says `degraded`.
 */
export class DiskSpace implements Disposable {
  readonly #options: DiskSpaceOptions;
  #probing: NodeJS.Timeout | undefined;

  constructor(options: DiskSpaceOptions) {
    this.#options = options;
    options.db.on('query-error', this.#onError);
  }

  get isFull(): boolean {
    return this.#probing !== undefined;
  }

  /**
   * Like `describeDatabaseFault`, but while the disk is known to be full, every fault is reported as a full disk: a server that
   * crashed because of it cannot say so itself.
   */
  readonly describe = (error: unknown): ServiceError | undefined => {
    const fault = describeDatabaseFault(error);
    if (fault !== undefined) this.#onError(error);
    return fault !== undefined && this.isFull ? diskFull(error) : fault;
  };

  [Symbol.dispose](): void {
    this.#options.db.off('query-error', this.#onError);
    clearInterval(this.#probing);
    this.#probing = undefined;
  }

  readonly #onError = (error: unknown): void => {
    if (this.isFull || describeDatabaseFault(error) === undefined) return;
    if (errorCode(error) !== DISK_FULL && this.#options.hasRunOut?.() !== true) return;
    this.#options.log.error('the disk of the database is full: nothing can be stored until it has space again');
    this.#probing = setInterval(() => void this.#probe(), PROBE_EVERY_MS).unref();
  };

  async #probe(): Promise<void> {
    try {
      await this.#options.db.transaction((trx) => trx.raw(PROBE));
    } catch (error) {
      return this.#options.log.debug('the disk of the database is still full', { error });
    }
    clearInterval(this.#probing);
    this.#probing = undefined;
    this.#options.log.info('the disk of the database has space again');
  }
}
