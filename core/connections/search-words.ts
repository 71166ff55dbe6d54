import type { Connection } from './connection.ts';
import { tagsOfEndUser } from './end-user.ts';

/** What a connection is found by. */
export type Searchable = Pick<Connection, 'connectionId' | 'tags' | 'endUser' | 'providerAccount'>;

/** Maximum number of words of a connection. Ten tags of 255 characters could have more than a thousand. */
const MAX_WORDS = 100;
/** Maximum UTF-16 code units of a word: an entry of the index has at most 2,704 bytes. */
const MAX_LENGTH = 200;
const GAPS = /[\s\p{C}]+/u;
const MARKS = /\p{M}+/gu;
const ALPHANUMERIC = /[\p{L}\p{N}]+/gu;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Returns the words that a search term is compared with: a connection is found if the term is a prefix of one of them. A text has
 * a word from each place where letters or digits begin, so `jane@acme.example` is found by `jane@acme`, `acme.example` and
 * `example`.
 */
export function searchWords({ connectionId, tags, endUser, providerAccount }: Searchable): readonly string[] {
  const user = endUser === null ? {} : tagsOfEndUser(endUser);
  const { name, email } = providerAccount ?? {};
  const texts = [connectionId, ...Object.values(tags), ...Object.values(user), name, email];
  const words = texts.flatMap((text = '') => piecesOf(text).flatMap(endingsOf));
  return [...new Set(words)].slice(0, MAX_WORDS);
}

/** Returns the terms of a search, each of which has to be a prefix of a word of the connection; none if the text has no letters or digits. */
export function searchTerms(text: string): readonly string[] {
  return [...new Set(piecesOf(text).flatMap((piece) => endingsOf(piece)[0] ?? []))];
}

/** Splits a text at white space, without regard to case and accents. */
function piecesOf(text: string): readonly string[] {
  const plain = text.normalize('NFKD').replace(MARKS, '').toLowerCase();
  return plain.split(GAPS);
}

/** Returns what follows each place where letters or digits begin; nothing for a mere dash. A UUID is one word. */
function endingsOf(piece: string): readonly string[] {
  const endings = UUID.test(piece) ? [piece] : [...piece.matchAll(ALPHANUMERIC)].map(({ index }) => piece.slice(index));
  return endings.map((ending) => ending.slice(0, MAX_LENGTH));
}
