import * as z from 'zod';
import { meaningOf } from '../../error-meanings.ts';
import { ERROR_STATUS, type ErrorCode } from '../../errors.ts';
import type { SharedExample } from './model.ts';

const detail = z.strictObject({ code: z.string(), message: z.string(), path: z.array(z.string()) });

/** The body of every error response. */
export const errorBody = z.strictObject({
  error: z.strictObject({
    code: z.enum(Object.keys(ERROR_STATUS)),
    message: z.string(),
    errors: z.array(detail).optional(),
  }),
});

/** The error code used in the example of a status, where that is not the first code of the status in the table of errors. */
const TYPICAL: Readonly<Record<number, ErrorCode>> = { 400: 'invalid_body', 404: 'not_found', 503: 'storage_unavailable' };

const DETAILS = [{ code: 'unrecognized_keys', message: 'Unrecognized key: "tag"', path: [] }];

/** Returns the name of the component that holds the example of a status. */
export function errorExampleName(status: number): string {
  return `Error${status}`;
}

/** Returns the example to which all error responses of a status refer. */
export function errorExample(status: number): SharedExample {
  const codes = Object.entries(ERROR_STATUS).flatMap(([code, one]) => (one === status ? [code] : []));
  const code = TYPICAL[status] ?? codes[0] ?? '';
  const message = meaningOf(code)?.meaning ?? '';
  const error = { code, message, ...(code === 'invalid_body' && { errors: DETAILS }) };
  return { summary: `Codes of this status: ${codes.join(', ')}`, value: { error } };
}
