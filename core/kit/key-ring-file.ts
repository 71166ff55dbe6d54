import { readFile } from 'node:fs/promises';
import { errorCode } from './error-code.ts';
import { KeyRing, newKeyRingText } from './key-ring.ts';
import { rewritePrivateFile, writePrivateFile } from './private-file.ts';

/** A key ring in a file that only its owner can read, in the form that `KeyRing.parse` takes. */
export class KeyRingFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Returns the content of the file; undefined when there is no file. */
  async read(): Promise<string | undefined> {
    try {
      return (await readFile(this.path, 'utf8')).trim();
    } catch (cause) {
      if (errorCode(cause) === 'ENOENT') return undefined;
      throw cause;
    }
  }

  /** Creates the file, by default with one new key. @returns its content */
  async create(text = newKeyRingText()): Promise<string> {
    await writePrivateFile(this.path, `${text}\n`);
    return text;
  }

  /**
   * Adds the keys of the file that a ring lacks to that ring.
   *
   * @throws KeyRingError if the file is malformed, or has another key with the ID of one in the ring
   */
  async learn(keys: KeyRing): Promise<void> {
    keys.learn(KeyRing.parse((await this.#items()).join(',')));
  }

  /**
   * Adds a new key at the end of the list: a process that starts after this can decrypt with it, but does not encrypt with it
   * yet.
   */
  async add(keyId: string): Promise<void> {
    await this.#write([...(await this.#items()), newKeyRingText(keyId)]);
  }

  async putFirst(keyId: string): Promise<void> {
    const items = await this.#items();
    await this.#write([...items.filter((item) => idOf(item) === keyId), ...items.filter((item) => idOf(item) !== keyId)]);
  }

  /** Removes keys, but never the last one. @returns the IDs of the removed keys */
  async remove(keyIds: readonly string[]): Promise<readonly string[]> {
    const items = await this.#items();
    const kept = items.filter((item) => !keyIds.includes(idOf(item)));
    if (kept.length === 0 || kept.length === items.length) return [];
    await this.#write(kept);
    return items.map(idOf).filter((id) => keyIds.includes(id));
  }

  async #items(): Promise<string[]> {
    const text = await this.read();
    if (text === undefined) throw new Error(`${this.path} is missing`);
    return text.split(',').map((item) => item.trim());
  }

  #write(items: readonly string[]): Promise<void> {
    return rewritePrivateFile(this.path, `${items.join(',')}\n`);
  }
}

function idOf(item: string): string {
  return item.slice(0, item.indexOf(':'));
}
