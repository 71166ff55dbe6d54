import type { Knex } from 'knex';
import type { Notices } from '../../db/notices.ts';
import type { KeyRing } from '../../kit/key-ring.ts';
import type { Logger } from '../../kit/logger.ts';
import { knownKeys } from './encryption-key-store.ts';
import { retiredIds } from './encryption-keys.ts';
import { forgetReport, REPORT_EVERY_MS, reportKeys } from './key-report-store.ts';

/** The topic of notices that the table `encryption_keys`, or the file of the keys, has changed. */
export const KEYS_TOPIC = 'encryption-keys';

export interface FollowerOptions {
  readonly db: Knex;
  readonly keys: KeyRing;
  readonly notices: Notices;
  readonly log: Logger;
  readonly instanceId: string;
  /** Loads keys that were added to the file after this process had started; absent if there is no such file. */
  readonly learnKeys?: (() => Promise<void>) | undefined;
}

/**
 * Keeps the key ring of this process up to date: loads keys that another process has created, and stops encrypting with keys that
 * were retired. Then reports the state of the ring in the database, for a process that waits to re-encrypt stored values
 * (`operate/keys/rotate.ts`).
 */
export class KeyFollower implements AsyncDisposable {
  readonly #options: FollowerOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #unsubscribe: () => void;
  #looking: Promise<void>;
  #isAskedAgain = false;

  private constructor(options: FollowerOptions, first: Promise<void>) {
    this.#options = options;
    this.#looking = first;
    this.#timer = setInterval(() => this.#lookSoon(), REPORT_EVERY_MS).unref();
    this.#unsubscribe = options.notices.subscribe(
      KEYS_TOPIC,
      () => this.#lookSoon(),
      () => this.#lookSoon(),
    );
  }

  /** Checks and reports the keys once, then keeps doing so. @throws when the database cannot be queried */
  static async start(options: FollowerOptions): Promise<KeyFollower> {
    await look(options);
    return new KeyFollower(options, Promise.resolve());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { db, instanceId, log } = this.#options;
    clearInterval(this.#timer);
    this.#unsubscribe();
    await this.#looking;
    await forgetReport(db, instanceId).catch((error: unknown) =>
      log.debug('the report of this instance’s keys could not be deleted', { error }),
    );
  }

  /** Requests a check. Only one check runs at a time; if one is requested while another is running, it runs afterwards. */
  #lookSoon(): void {
    if (this.#isAskedAgain) return;
    this.#isAskedAgain = true;
    this.#looking = this.#looking.then(async () => {
      this.#isAskedAgain = false;
      await look(this.#options).catch((error: unknown) => {
        this.#options.log.warn('the encryption keys could not be checked for changes; this is retried within 10 s', { error });
      });
    });
  }
}

async function look({ db, keys, log, instanceId, learnKeys }: FollowerOptions): Promise<void> {
  await learnKeys?.();
  const known = await knownKeys(db);
  if (known.some(({ key_id: id, retired_at: since }) => since === null && !keys.has(id)))
    log.error('the database is encrypted with a key that this instance does not have: restart it with all keys');
  const before = keys.currentKeyId;
  keys.retire(retiredIds(known));
  if (keys.currentKeyId !== before)
    log.info('the encryption key was rotated: new values are encrypted with this key', { key: keys.currentKeyId });
  await reportKeys(db, instanceId, keys);
}
