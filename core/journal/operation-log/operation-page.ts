import type { Knex } from 'knex';
import { timeOfId } from '../../kit/random-id.ts';
import type { ListedOperation } from './activity-store.ts';
import { listOperations, type OperationFilter, type OperationRange } from './list-store.ts';

const HOUR_MS = 3_600_000;
/** How far back a page is looked for, step by step: the database plans for each partition, which costs more than it finds. */
const STEPS_HOURS = [6, 24, 5 * 24, 20 * 24, 80 * 24] as const;

export interface OperationPage {
  readonly rows: readonly ListedOperation[];
  /** The operation that the next page continues after; null: there is none. */
  readonly next: string | null;
}

/** One page of an environment's operations, newest first. */
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

/** Where each step begins: ever earlier, the last at the limit; undefined: at the oldest row. */
function startsBack(newest: Date, limit: Date | undefined): readonly (Date | undefined)[] {
  const starts = STEPS_HOURS.map((hours) => new Date(newest.getTime() - hours * HOUR_MS));
  return [...starts.filter((start) => limit === undefined || start > limit), limit];
}
