const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

interface JsonCounts {
  /** Number of properties, items, lists and objects. */
  readonly values: number;
  readonly members: number;
  readonly maxDepth: number;
}

/**
 * Counts the values in a JSON text without parsing it. For invalid JSON, the counts are upper limits of what a parser would have
 * read.
 */
export function countJson(text: string): JsonCounts {
  let values = 0;
  let members = 0;
  let depth = 0;
  let maxDepth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isString) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) isString = false;
    } else if (code === QUOTE) isString = true;
    else if (code === COMMA) values += 1;
    else if (code === COLON) members += 1;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      values += 1;
      depth += 1;
      if (depth > maxDepth) maxDepth = depth;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1;
  }
  return { values, members, maxDepth };
}
