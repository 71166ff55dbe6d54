const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Counts what a text of JSON holds without parsing it, a piece after the other: members, items, lists and objects, and how deep
 * they are nested. Of a text that is no JSON the count says how much a parser would have read at most.
 */
export class ValueCounter {
  values = 0;
  /** The deepest so far. */
  maxDepth = 0;
  #depth = 0;
  #isText = false;
  #isEscaped = false;

  add(bytes: Uint8Array): this {
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (!this.#isText) this.#addByte(byte);
      else if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) this.#isText = false;
    }
    return this;
  }

  #addByte(byte: number | undefined): void {
    if (byte === QUOTE) this.#isText = true;
    else if (byte === COMMA) this.values += 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#open();
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#depth -= 1;
  }

  #open(): void {
    this.values += 1;
    this.#depth += 1;
    this.maxDepth = Math.max(this.maxDepth, this.#depth);
  }
}

/** The same for a whole text. */
export function countValues(bytes: Uint8Array): number {
  return new ValueCounter().add(bytes).values;
}
