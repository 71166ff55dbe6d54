import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { errorCode } from '../../kit/error-code.ts';
import type { Logger } from '../../kit/logger.ts';
import { rewritePrivateFile } from '../../kit/private-file.ts';
import { hasEntry, isTrailEmpty } from './audit-store.ts';

const FILE = 'audit-mark';
const CONTENT = /^(\d{1,15}) ([0-9a-f]*)\n$/;

/** A point that the trail had once reached: the last entry then, and its HMAC. */
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
 * Keeps the last entry of the audit trail in a file of the data directory, which somebody who can write to the database alone
 * cannot change: without it an emptied trail would look like the one of a new installation. It covers what processes on this
 * directory recorded.
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
   * @returns undefined where none is kept
   * @throws Error for a file that is no mark, or cannot be read
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
   * Creates the mark of a trail that has no entry. A trail with entries may have been cut: only `audit anchor` declares it valid.
   */
  async begin(): Promise<void> {
    await this.#noting(async () => {
      if ((await this.read()) === undefined && (await isTrailEmpty(this.#options.db)))
        await this.#write({ sequence: 0, mac: Buffer.alloc(0) });
    });
  }

  /** Makes the next entry the mark, whatever the mark was before. */
  renew(): void {
    this.#mayReplace = true;
  }

  /**
   * Moves the mark to a new entry. To be called after the commit of the entry. Where no mark is kept nothing is written; a mark
   * never goes back.
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
   * Returns whether the mark may move to this entry. The entry of the mark must still be in the trail, since a trail that was cut
   * must not become valid by continuing.
   */
  async #isBefore({ sequence }: Mark): Promise<boolean> {
    const mark = await this.read();
    if (mark === undefined || mark.sequence >= sequence) return false;
    if (mark.sequence === 0 || (await hasEntry(this.#options.db, mark))) return true;
    this.#options.log.error('the audit trail has been cut or replaced: run `svc audit verify`', { marked: mark.sequence });
    return false;
  }

  /** Runs work on the mark and logs its failure: an entry stays recorded, whether it can be marked or not. */
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
