import type { SharedPayload } from './payload.ts';

const MAX_ITEMS = 500;
const MAX_CHARACTERS = 1024 * 1024;

/** Collects items of one transaction and writes many at a time, with a bound on the payloads in memory. */
export class PayloadBatch<Item extends { readonly payload?: SharedPayload | undefined }> {
  readonly #write: (items: readonly Item[]) => Promise<unknown>;
  #items: Item[] = [];
  /** The characters of payloads that are stored with the items. */
  #characters = 0;

  constructor(write: (items: readonly Item[]) => Promise<unknown>) {
    this.#write = write;
  }

  async add(item: Item): Promise<void> {
    const { payload } = item;
    this.#items.push(item);
    if (payload !== undefined && payload.reference === undefined) this.#characters += payload.text.length;
    if (this.#items.length >= MAX_ITEMS || this.#characters >= MAX_CHARACTERS) await this.send();
  }

  /** Writes the remaining items. */
  async send(): Promise<void> {
    const items = this.#items;
    this.#items = [];
    this.#characters = 0;
    if (items.length > 0) await this.#write(items);
  }
}
