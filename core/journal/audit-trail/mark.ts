import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { errorCode } from '../../kit/error-code.ts';
import type { Logger } from '../../kit/logger.ts';
import { rewritePrivateFile } from '../../kit/private-file.ts';
import { hasEntry, isTrailEmpty } from './audit-store.ts';

const FILE = 'audit-mark';
const CONTENT = /^(\d{1,15}) ([0-9a-f]*)\n$/;

/** How far the trail had come once: the last entry, and its HMAC. */
export interface Mark {
  /** 0: there was none yet. */
  readonly sequence: number;
  readonly mac: Buffer;
}

interface AuditMarkOptions {
  readonly dataDir: string;
  readonly db: Knex;
  readonly log: Logger;
}

/**
 * The last entry of the audit trail in a file of the data directory, which whoever can write to the database alone cannot change:
 * without it an emptied trail would look like that of a new installation. It counts what processes on this directory recorded.
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

  /** @returns undefined where none is kept @throws Error for a file that is none, or cannot be read */
  async read(): Promise<Mark | undefined> {
    const text = await readFile(this.#path, 'utf8').catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    });
    if (text === undefined) return undefined;
    const [, sequence = '', mac = ''] = CONTENT.exec(text) ?? [];
    if (sequence === '') throw new Error(`${this.#path} is no mark of the audit trail; run \`svc audit anchor\` to make it anew`);
    return { sequence: Number(sequence), mac: Buffer.from(mac, 'hex') };
  }

  /** Begins with a trail that has no entry. One that has some may have been cut: only `audit anchor` says that it counts. */
  async begin(): Promise<void> {
    await this.#noting(async () => {
      if ((await this.read()) === undefined && (await isTrailEmpty(this.#options.db)))
        await this.#write({ sequence: 0, mac: Buffer.alloc(0) });
    });
  }

  /** The next entry is the mark, whatever it was before. */
  renew(): void {
    this.#mayReplace = true;
  }

  /** To be called after the commit of an entry. Where no mark is kept nothing is written; a mark never goes back. */
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

  /** A trail that was cut must not heal by going on: the entry of the mark has to be in it still. */
  async #isBefore({ sequence }: Mark): Promise<boolean> {
    const mark = await this.read();
    if (mark === undefined || mark.sequence >= sequence) return false;
    if (mark.sequence === 0 || (await hasEntry(this.#options.db, mark))) return true;
    this.#options.log.error('the audit trail has been cut or replaced: run `svc audit verify`', { marked: mark.sequence });
    return false;
  }

  /** What was recorded is recorded, whether it can be marked or not. */
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
