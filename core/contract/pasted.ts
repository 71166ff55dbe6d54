// Browsers use this too: nothing here may import Node's modules.

/** Matches white space and zero-width characters; of the latter, `trim` removes only U+FEFF. */
const INVISIBLE = /[\s\u00ad\u180e\u200b-\u200f\u2060-\u2064]/;

/** Returns a value without the invisible characters around it that copying from a page or a document may have added. */
export function trimPasted(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && INVISIBLE.test(text.charAt(start))) start += 1;
  while (end > start && INVISIBLE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
