import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { DataDirectory } from './data-directory.ts';

export const LOG_FILE = 'postgres.log';
/** Maximum number of new bytes to read: the cause of a server's end stands in the last lines. */
const MAX_READ_BYTES = 64 * 1024;

/** The part of the embedded server's log that is written from now on. */
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
      // A log that is shorter than it was has been emptied.
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
