import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { errorCode } from '../../kit/error-code.ts';
import type { Logger } from '../../kit/logger.ts';
import { rewritePrivateFile } from '../../kit/private-file.ts';
import { hasEntry, isTrailEmpty } from './audit-store.ts';

const FILE = 'audit-mark';
const CONTENT = /^(\d{1,15}) ([0-9a-f]*)\n$/;

/** A point that the trail once reached: the entry that was the last at that time, and its HMAC. */
export interface Mark {
  /** 0 when there was no entry yet. */
  readonly sequence: number;
  readonly mac: Buffer;
}

interface AuditMarkOptions {
  readonly dataDir: string;
  readonly db: Knex;
  readonly log: Logger;
}

/**
 * Keeps the sequence and HMAC of the last entry of the audit trail (the mark) in a file of the data directory, which somebody who
 * can write only to the database cannot change. Without it, an emptied trail would look like that of a new installation. The mark
 * covers the entries that were recorded by processes with this data directory.
 */
export class AuditMark implements AsyncDisposable {
  readonly #options: AuditMarkOptions;
  readonly #path: string;
  #writing: Promise<void> = Promise.resolve();
  #mayReplace = false;

  constructor(options: AuditMarkOptions) {
    this.#options = options;
    this.#path = join(options.dataDir, FILE);
  }

  /**
   * Reads the mark.
   *
   * @returns undefined if the data directory has none
   * @throws Error when the file is not a mark, or cannot be read
   */
  async read(): Promise<Mark | undefined> {
    const text = await readFile(this.#path, 'utf8').catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    });
    if (text === undefined) return undefined;
    const [, sequence = '', mac = ''] = CONTENT.exec(text) ?? [];
    if (sequence === '')
      throw new Error(`${this.#path} is not a mark of the audit trail; run \`svc audit anchor\` to write it again`);
    return { sequence: Number(sequence), mac: Buffer.from(mac, 'hex') };
  }

  /**
   * Creates the mark if there is none and the trail has no entries. A trail with entries may have been cut, so for it only the
   * operator may create the mark, with `audit anchor`.
   */
  async begin(): Promise<void> {
    await this.#noting(async () => {
      if ((await this.read()) === undefined && (await isTrailEmpty(this.#options.db)))
        await this.#write({ sequence: 0, mac: Buffer.alloc(0) });
    });
  }

  /** Makes the next entry the mark, whatever the mark is now, as the operator demands with `audit anchor`. */
  renew(): void {
    this.#mayReplace = true;
  }

  /**
   * Moves the mark to a new entry, which must have been committed. Does nothing if the data directory has no mark, or if its mark
   * is a later entry.
   */
  advance(last: Mark): void {
    const mayReplace = this.#mayReplace;
    this.#mayReplace = false;
    this.#writing = this.#writing.then(() =>
      this.#noting(async () => {
        if (mayReplace || (await this.#isBefore(last))) await this.#write(last);
      }),
    );
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#writing;
  }

  /**
   * Returns whether the mark may move to this entry. The entry of the current mark must still be in the trail, since a trail that
   * was cut must not become valid by being continued.
   */
  async #isBefore({ sequence }: Mark): Promise<boolean> {
    const mark = await this.read();
    if (mark === undefined || mark.sequence >= sequence) return false;
    if (mark.sequence === 0 || (await hasEntry(this.#options.db, mark))) return true;
    this.#options.log.error('the audit trail has been cut or replaced: run `svc audit verify`', { marked: mark.sequence });
    return false;
  }

  /** Runs work on the mark and logs its failure, which must not affect the entry: that is recorded already. */
  async #noting(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#options.log.error('the mark of the audit trail could not be read or written', { error, file: this.#path });
    }
  }

  #write({ sequence, mac }: Mark): Promise<void> {
    return rewritePrivateFile(this.#path, `${sequence} ${mac.toString('hex')}\n`);
  }
}
