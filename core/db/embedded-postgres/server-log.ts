import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { DataDirectory } from './data-directory.ts';

export const LOG_FILE = 'postgres.log';
/** Maximum number of new bytes to read. This is enough, because the reason why a server ended is in its last lines. */
const MAX_READ_BYTES = 64 * 1024;

/** Searches the part of the embedded server's log that is written from now on. */
export class ServerLog {
  readonly #file: string;
  #readTo = 0;

  constructor({ path }: Pick<DataDirectory, 'path'>) {
    this.#file = join(path, LOG_FILE);
    this.hasNew('');
  }

  /** Returns whether this text was written since the last call. */
  hasNew(text: string): boolean {
    let file: number;
    try {
      file = openSync(this.#file, 'r');
    } catch {
      return false;
    }
    try {
      const { size } = fstatSync(file);
      // A log that has become shorter was emptied, so it is read from its beginning.
      const from = Math.max(size < this.#readTo ? 0 : this.#readTo, size - MAX_READ_BYTES);
      this.#readTo = size;
      const bytes = Buffer.alloc(size - from);
      readSync(file, bytes, { position: from });
      return bytes.includes(text);
    } finally {
      closeSync(file);
    }
  }
}
