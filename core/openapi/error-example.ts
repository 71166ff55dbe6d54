import { ERROR_MEANINGS } from '../error-meanings.ts';
import { ERROR_STATUS, type ErrorCode } from '../errors.ts';
import type { SharedExample } from './model.ts';

/** Which code stands for its status, where it is not the first of the table. */
const TYPICAL: Readonly<Record<number, ErrorCode>> = { 400: 'invalid_body', 404: 'not_found', 503: 'storage_unavailable' };

const DETAILS = [{ code: 'unrecognized_keys', message: 'Unrecognized key: "tag"', path: [] }];

/** Under what name the examples of the document keep the one for a status. */
export function errorExampleName(status: number): string {
  return `Error${status}`;
}

/** One example for each status of an error, to which all responses of that status refer. */
export function errorExamples(): Record<string, SharedExample> {
  return Object.fromEntries(
    [...new Set(Object.values(ERROR_STATUS))].map((status) => [errorExampleName(status), exampleOf(status)]),
  );
}

function exampleOf(status: number): SharedExample {
  const codes = Object.entries(ERROR_STATUS).flatMap(([code, one]) => (one === status ? [code] : []));
  const code = TYPICAL[status] ?? codes[0] ?? '';
  const meaning = Object.entries(ERROR_MEANINGS).find(([known]) => known === code)?.[1].meaning ?? '';
  const error = { code, message: meaning, ...(code === 'invalid_body' && { errors: DETAILS }) };
  return { summary: `Codes of this status: ${codes.join(', ')}`, value: { error } };
}
