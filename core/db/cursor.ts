import { ServiceError } from '../errors.ts';

const CURSOR = /^c(\d{1,15})$/;

/** Returns a cursor that names the last item of a page. It is opaque to callers, so that the list's order may change. */
export function toCursor(id: number): string {
  return Buffer.from(`c${id}`).toString('base64url');
}

/** Reads the row ID from a cursor. @throws ServiceError `invalid_query_params` if `toCursor` has not returned it */
export function fromCursor(cursor: string): number {
  const id = Number(CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1]);
  if (toCursor(id) === cursor) return id; // Node's decoder skips characters that are not base64
  throw cursorFault();
}

/** Returns the error for a cursor that the endpoint did not issue, or issued for a list in another order. */
export function cursorFault(): ServiceError {
  const message = 'this cursor was not issued by this endpoint; pass next_cursor of the previous page unchanged';
  return new ServiceError('invalid_query_params', message, { details: [{ code: 'invalid_value', message, path: ['cursor'] }] });
}
