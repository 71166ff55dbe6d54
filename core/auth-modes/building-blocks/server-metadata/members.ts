import type { PublishedDocument } from './fetch-document.ts';

/** Maximum length of a URL in characters; no server's address is longer. */
export const MAX_URL = 2048;
/** Limits on the lists that a server publishes, and on the texts in them, so that the stored metadata stays small. */
const MAX_ENTRIES = 100;
const MAX_ENTRY = 500;
const MAX_QUOTED = 200;

/** Returns a list of texts; a single text counts as a list with one item. @returns undefined if the field contains neither */
export function listIn(document: PublishedDocument, name: string): readonly string[] | undefined {
  const value = document[name];
  if (typeof value !== 'string' && !Array.isArray(value)) return undefined;
  const entries: readonly unknown[] = [value].flat();
  return entries.filter((entry) => typeof entry === 'string' && entry.length <= MAX_ENTRY).slice(0, MAX_ENTRIES) as string[];
}

/** Reads a boolean; some servers write `"true"`. */
export function flagIn(document: PublishedDocument, name: string): boolean {
  return document[name] === true || document[name] === 'true';
}

/** Quotes a value for an error message; a long value is truncated. */
export function quoted(value: unknown): string {
  if (value === undefined) return 'none';
  const text = JSON.stringify(value);
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
}
