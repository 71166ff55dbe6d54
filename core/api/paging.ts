import * as z from 'zod';
import { fromCursor } from '../connections/cursor.ts';
import { count } from './schemas.ts';

/** What long lists have in common: a cursor to walk through them, or numbered pages. */

const DEFAULT_LIMIT = 1000;
const MAX_LIMIT = 2000;
const MAX_PAGE = 100_000;

/** Members of the query. */
export const pageMembers = {
  limit: count({ from: 1, to: MAX_LIMIT }).default(DEFAULT_LIMIT).meta({ description: 'of one page', example: 100 }),
  cursor: z.string().min(1).max(255).optional().meta({ description: '`next_cursor` of the page before', example: 'NDI' }),
  page: count({ from: 0, to: MAX_PAGE })
    .optional()
    .meta({ description: 'from 0; pass `cursor` instead to walk through many', example: 0 }),
};

interface PageQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly page?: number | undefined;
}

/** For `refine`. */
export const notBothPlaces = [
  ({ cursor, page }: PageQuery) => cursor === undefined || page === undefined,
  'give either cursor or page, not both',
] as const;

/** What a page begins with, as the stores take it. @throws ServiceError `invalid_query_params` */
export function positionOf({ limit, cursor, page }: PageQuery) {
  return {
    limit,
    before: cursor === undefined ? undefined : fromCursor(cursor),
    offset: page === undefined ? undefined : page * limit,
  };
}
