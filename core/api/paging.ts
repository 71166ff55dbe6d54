import * as z from 'zod';
import { fromCursor } from '../db/cursor.ts';
import { count } from './schemas.ts';

/** Pagination of long lists, by cursor or by page number. */

const DEFAULT_LIMIT = 1000;
const MAX_LIMIT = 2000;
const MAX_PAGE = 100_000;

/** The query parameters of a page. */
export const pageMembers = {
  limit: count({ from: 1, to: MAX_LIMIT }).default(DEFAULT_LIMIT).meta({ description: 'page size', example: 100 }),
  cursor: z.string().min(1).max(255).optional().meta({ description: '`next_cursor` of the previous page', example: 'NDI' }),
  page: count({ from: 0, to: MAX_PAGE })
    .optional()
    .meta({ description: 'from 0; for many pages pass `cursor` instead', example: 0 }),
};

interface PageQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly page?: number | undefined;
}

/** The condition that a page is requested by cursor or by number, as arguments of `refine`. */
export const eitherCursorOrPage = [
  ({ cursor, page }: PageQuery) => cursor === undefined || page === undefined,
  'pass either cursor or page, not both',
] as const;

/**
 * Converts the query parameters of a page to the form that the stores expect.
 *
 * @throws ServiceError `invalid_query_params` if the cursor is invalid
 */
export function positionOf({ limit, cursor, page }: PageQuery) {
  return {
    limit,
    after: cursor === undefined ? undefined : fromCursor(cursor),
    offset: page === undefined ? undefined : page * limit,
  };
}
