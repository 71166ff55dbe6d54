import { MAX_DEPTH } from './limits.ts';

/**
 * Parses JSON produced by a script. Properties named `__proto__` are dropped: as own properties they could later be merged into a
 * prototype.
 *
 * @throws SyntaxError for invalid JSON, RangeError if it is nested too deeply
 */
export function plainJson(text: string): unknown {
  if (depthOf(text) > MAX_DEPTH) throw new RangeError(`nested deeper than ${MAX_DEPTH} levels`);
  // A script may write `__proto__` with Unicode escapes, so texts with such escapes take the slower way, too.
  if (!/__proto__|\\u00[567]/i.test(text)) return JSON.parse(text);
  return JSON.parse(text, (key, value) => (key === '__proto__' ? undefined : value));
}

/** Returns the nesting depth, in a loop because a regular expression with a repeated group may overflow the stack. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth);
    else if (character === ']' || character === '}') depth -= 1;
  }
  return deepest;
}

/** Returns the index of the closing quote, the first one that does not follow an odd number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
