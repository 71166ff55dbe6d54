import type { Knex } from 'knex';
import { cursorFault } from '../../db/cursor.ts';
import { timeOfId } from '../../kit/random-id.ts';
import type { ListedOperation } from './activity-store.ts';
import { listOperations, type OperationFilter, type OperationRange } from './list-store.ts';

const HOUR_MS = 3_600_000;
/**
 * How far back each step of a search for a page goes. Most pages are found in the first steps, and a query that covers all
 * partitions costs more for planning than for finding rows.
 */
const STEPS_HOURS = [6, 24, 5 * 24, 20 * 24, 80 * 24] as const;

interface OperationPage {
  readonly rows: readonly ListedOperation[];
  /** The ID of the operation that the next page continues after; null when there is no next page. */
  readonly next: string | null;
}

/** Returns one page of an environment's operations, newest first. */
export async function operationPage(
  db: Knex,
  environmentId: number,
  { limit, before, now, ...filter }: OperationFilter & OperationRange & { readonly now: Date },
): Promise<OperationPage> {
  const rows: ListedOperation[] = [];
  const newest = (before === undefined ? undefined : timeOfId(before)) ?? filter.until ?? now;
  let until = filter.until;
  for (const since of startsBack(newest, filter.since)) {
    const more = await listOperations(db, environmentId, { ...filter, since, until, before, limit: limit + 1 - rows.length });
    rows.push(...more);
    if (rows.length > limit) break;
    until = since;
  }
  const page = rows.slice(0, limit);
  return { rows: page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}

/**
 * Returns the time at which each step of the search begins, from late to early. The last one is the limit; without a limit it is
 * undefined, and the step begins at the oldest row.
 */
function startsBack(newest: Date, limit: Date | undefined): readonly (Date | undefined)[] {
  const starts = STEPS_HOURS.map((hours) => new Date(newest.getTime() - hours * HOUR_MS));
  return [...starts.filter((start) => limit === undefined || start > limit), limit];
}

/** Returns a cursor that names the last operation of a page. It is opaque to callers, so that the list's order may change. */
export function operationCursor(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

/** Reads the operation's ID from a cursor. @throws ServiceError `invalid_query_params` for any other text */
export function operationAt(cursor: string): string {
  const hex = Buffer.from(cursor, 'base64url').toString('hex');
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  if (timeOfId(id) !== undefined && operationCursor(id) === cursor) return id; // Node's decoder skips non-base64 characters
  throw cursorFault();
}
