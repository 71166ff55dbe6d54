import type { Knex } from 'knex';
import type { Notices } from '../../db/notices.ts';
import type { KeyRing } from '../../kit/key-ring.ts';
import type { Logger } from '../../kit/logger.ts';
import { knownKeys } from './encryption-key-store.ts';
import { retiredIds } from './encryption-keys.ts';
import { forgetReport, REPORT_EVERY_MS, reportKeys } from './key-report-store.ts';

/** Notices under this topic say that `encryption_keys`, or the file of the keys, has changed. */
export const KEYS_TOPIC = 'encryption-keys';

export interface FollowerOptions {
  readonly db: Knex;
  readonly keys: KeyRing;
  readonly notices: Notices;
  readonly log: Logger;
  readonly instanceId: string;
  /** Loads the keys that were added since this process began; absent when none can be added. */
  readonly learnKeys?: (() => Promise<void>) | undefined;
}

/**
 * Keeps the key ring of this process as the database requires it: loads a key that another process has created, and stops
 * encrypting with one that was retired. Then reports this to the process that waits to re-encrypt stored values
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

  /** Starts after a first look and report. @throws when the database cannot be queried */
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

  /** Requests a look. One look runs at a time; a request during a look leads to another one after it. */
  #lookSoon(): void {
    if (this.#isAskedAgain) return;
    this.#isAskedAgain = true;
    this.#looking = this.#looking.then(async () => {
      this.#isAskedAgain = false;
      await look(this.#options).catch((error: unknown) => {
        this.#options.log.warn('the encryption keys could not be checked for changes', { error });
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
