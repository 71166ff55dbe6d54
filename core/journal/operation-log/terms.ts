import type { OperationLogRow } from './operation-log-row.ts';

const WORD = /[\p{L}\p{N}_]+/gu;
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MAX_WORDS = 60;
const MAX_WORD = 64;
const MAX_ASKED = 8;

type Found = Pick<
  OperationLogRow,
  | 'operation'
  | 'summary'
  | 'error_code'
  | 'http_status'
  | 'connection_id'
  | 'provider_config_key'
  | 'actor_kind'
  | 'actor_id'
  | 'messages'
>;

/**
 * Returns the terms by which a search finds an operation, as a `tsvector`: words of its operation, summary, path and messages,
 * and the values that filters use, each prefixed with a character that no word contains. The texts are split into words here,
 * since the parsers of Postgres treat a path as one word.
 */
export function termsOf(row: Found): string {
  const words = wordsIn(
    [row.operation, row.summary, row.error_code, row.http_status, row.provider_config_key, ownId(row), ...said(row)].join(' '),
  );
  const marks = [
    ...(row.error_code === null ? [] : [errorCodeTerm(row.error_code)]),
    ...(row.http_status === null ? [] : [httpStatusTerm(row.http_status)]),
    ...(row.actor_id === null ? [] : [actorTerm(row.actor_kind, row.actor_id)]),
  ];
  return [...new Set([...marks, ...words.slice(0, MAX_WORDS)])].map(quoted).join(' ');
}

/**
 * Returns a `tsquery` that finds operations in which, for each word of `text`, some word begins with it; undefined if `text`
 * contains no words.
 */
export function queryFor(text: string): string | undefined {
  const words = wordsIn(text).slice(0, MAX_ASKED);
  return words.length === 0 ? undefined : words.map((word) => `${quoted(word)}:*`).join(' & ');
}

/** Returns a `tsquery` for one of the terms that the functions below return. */
export function queryForTerm(term: string): string {
  return quoted(term);
}

export function errorCodeTerm(code: string): string {
  return `!${code.toLowerCase()}`;
}

export function httpStatusTerm(status: number): string {
  return `#${status}`;
}

export function actorTerm(kind: string, id: string): string {
  return `@${kind}:${id}`;
}

/**
 * Returns the connection's ID unless it was generated. Generated IDs are found by the index on the column: as terms, they would
 * add five random words to each row, which would make up most of the index.
 */
function ownId({ connection_id: id }: Found): string {
  return id === null || UUID.test(id) ? '' : id;
}

/** Returns the texts of the messages, and their paths, the only facts that people search for. */
function said({ messages }: Found): readonly string[] {
  return (messages as readonly { message: string; facts: Readonly<Record<string, unknown>> }[]).flatMap(({ message, facts }) =>
    typeof facts['path'] === 'string' ? [message, facts['path']] : [message],
  );
}

function wordsIn(text: string): string[] {
  return [...new Set(Array.from(text.toLowerCase().matchAll(WORD), ([word]) => word.slice(0, MAX_WORD).toWellFormed()))];
}

/** Quotes a lexeme: quotes and backslashes are doubled (Postgres documentation, 8.11.1). */
function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
