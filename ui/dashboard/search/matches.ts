/** A part of a text, and whether a search has found it. */
export interface Part {
  readonly text: string;
  readonly isFound: boolean;
}

const BEGINNING = /[\p{L}\p{N}]+/gu;

/** Splits what was typed into terms, as the service does. Accents are left, so a text with accents may be found without a mark. */
export function termsOf(typed: string): readonly string[] {
  const pieces = typed.toLowerCase().split(/\s+/);
  return pieces.flatMap((piece) => {
    const at = piece.search(BEGINNING);
    return at === -1 ? [] : [piece.slice(at)];
  });
}

/** Divides a text into the parts that begin with a term, where letters or digits begin, and the rest. */
export function partsOf(text: string, terms: readonly string[]): readonly Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const { index } of text.matchAll(BEGINNING)) {
    if (index < from) continue;
    const rest = text.slice(index).toLowerCase();
    const longest = Math.max(0, ...terms.filter((term) => rest.startsWith(term)).map(({ length }) => length));
    if (longest === 0) continue;
    parts.push({ text: text.slice(from, index), isFound: false }, { text: text.slice(index, index + longest), isFound: true });
    from = index + longest;
  }
  return [...parts, { text: text.slice(from), isFound: false }].filter((part) => part.text !== '');
}

/** Returns whether a term is found in a text. */
export function isFoundIn(text: string, terms: readonly string[]): boolean {
  return partsOf(text, terms).some(({ isFound }) => isFound);
}
