import { ServiceError } from '../../errors.ts';
import { timeOfId } from '../../kit/random-id.ts';

/** Names the last operation of a page; opaque to callers, so that the list's order may change. */
export function operationCursor(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

/** @throws ServiceError `invalid_query_params` */
export function operationAt(cursor: string): string {
  const hex = Buffer.from(cursor, 'base64url').toString('hex');
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  if (timeOfId(id) !== undefined && operationCursor(id) === cursor) return id; // Node's decoder skips what is no base64
  const message = 'this is no cursor of ours; pass next_cursor of the page before as it is';
  throw new ServiceError('invalid_query_params', message, { details: [{ code: 'invalid_value', message, path: ['cursor'] }] });
}
