import type { PublishedDocument } from './fetch-document.ts';

/** Beyond any address that servers have. */
export const MAX_URL = 2048;
/** What is kept in memory is small, whatever a server says. */
const MAX_ENTRIES = 100;
const MAX_ENTRY = 500;
const MAX_QUOTED = 200;

/** A text where a list belongs is a list of one. @returns undefined if the document has neither */
export function listIn(document: PublishedDocument, name: string): readonly string[] | undefined {
  const value = document[name];
  if (typeof value !== 'string' && !Array.isArray(value)) return undefined;
  const entries: readonly unknown[] = [value].flat();
  return entries.filter((entry) => typeof entry === 'string' && entry.length <= MAX_ENTRY).slice(0, MAX_ENTRIES) as string[];
}

/** Some servers write `"true"`. */
export function flagIn(document: PublishedDocument, name: string): boolean {
  return document[name] === true || document[name] === 'true';
}

/** What was found, for a message. */
export function quoted(value: unknown): string {
  if (value === undefined) return 'none';
  const text = JSON.stringify(value);
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
}
