import { MAX_DEPTH } from './limits.ts';

/**
 * Reads JSON that a script has made. A member `__proto__` is left out wherever it stands: it would survive as an own member, and
 * the first merge somewhere else would take it for the prototype.
 *
 * @throws SyntaxError when it is no JSON, RangeError when it is nested deeper than anybody needs
 */
export function plainJson(text: string): unknown {
  if (depthOf(text) > MAX_DEPTH) throw new RangeError(`nested deeper than ${MAX_DEPTH}`);
  // The name may be written with escapes, so anything escaped is looked at too.
  if (!/__proto__|\\u00[567]/i.test(text)) return JSON.parse(text);
  return JSON.parse(text, (key, value) => (key === '__proto__' ? undefined : value));
}

/** A loop over the characters: a pattern with a repeated group would need a stack as deep as the longest string. */
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

/** The place of the closing quote; a quote after an odd number of backslashes does not close. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
