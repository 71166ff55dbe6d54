import { expect } from 'chai';
import { ERROR_STATUS, type ErrorCode } from '../../core/errors.ts';
import type { ClientResponse } from './http-client.ts';

/** Internals that no error response may reveal: stack traces, files, SQL, versions. */
const INNARDS = [/\.[jt]s\b|\n\s*at /, /\bselect .* from\b|\binsert into\b/i, /postgres|knex|koa|undici|node/i, /\bv\d+\.\d+/];
const REQUEST_ID = /^[0-9a-f-]{36}$/;

/** Asserts that the response reports `code` in the form that all errors have, and reveals no internals. */
export function expectError(response: ClientResponse, code: ErrorCode, path?: readonly string[]): void {
  expect(response.body?.error?.code, response.text).to.equal(code);
  expect(response.status).to.equal(ERROR_STATUS[code]);
  expect(Object.keys(response.body)).to.deep.equal(['error']);
  expect(response.body.error).to.have.all.keys(
    'code',
    'message',
    ...(response.body.error.errors === undefined ? [] : ['errors']),
  );
  expect(response.headers.get('svc-error')).to.equal(code);
  expect(response.headers.get('svc-request-id')).to.match(REQUEST_ID);
  for (const innards of INNARDS) expect(response.text).not.to.match(innards);
  if (path !== undefined)
    expect(response.body.error.errors.map((detail: { path: string[] }) => detail.path)).to.deep.include(path);
}
