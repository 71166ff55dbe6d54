const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export interface Counts {
  /** Members, items, lists and objects. */
  readonly values: number;
  readonly maxDepth: number;
}

/** Counts what JSON holds without parsing it. Of invalid JSON the counts say how much a parser would have read at most. */
export function countValues(bytes: Uint8Array): Counts {
  let values = 0;
  let depth = 0;
  let maxDepth = 0;
  let isString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (isString) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isString = false;
    } else if (byte === QUOTE) isString = true;
    else if (byte === COMMA) values += 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values += 1;
      depth += 1;
      if (depth > maxDepth) maxDepth = depth;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
  }
  return { values, maxDepth };
}
