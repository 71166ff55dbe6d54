import type { Knex } from 'knex';
import { pauseUnlessAborted } from '../../kit/abortable.ts';
import { type Clock, daysBefore } from '../../kit/clock.ts';
import { oldestTransaction, type WrittenOperation, writtenOperations } from './follow-store.ts';
import type { OperationFilter } from './list-store.ts';

const LOOK_MS = 1_000;
/** Proxies close what has been silent for a minute. */
const HEARTBEAT_MS = 15_000;
const AT_ONCE = 500;
/** An operation that took longer is not told of when it ends: looking for it would read every partition. */
const LONGEST_DAYS = 1;

export interface FollowedOperation {
  /** Undefined: a sign of life. */
  readonly operation?: WrittenOperation;
  /** For `Last-Event-ID`: what follows it, and perhaps some before it. */
  readonly eventId: string;
}

/**
 * The operations of an environment that are written from now on, or since an event, each once. At the beginning and every 15 s it
 * tells how far it is: whoever is cut off before an operation came resumes there, too. None is missed that another instance commits
 * late: a transaction is asked about until none before it is under way.
 */
export async function* followOperations(
  { db, clock }: { readonly db: Knex; readonly clock: Clock },
  environmentId: number,
  { after, ended, ...filter }: OperationFilter & { readonly after?: string | undefined; readonly ended: AbortSignal },
): AsyncGenerator<FollowedOperation> {
  const since = filter.since ?? daysBefore(clock.now(), LONGEST_DAYS);
  let from = Math.min(positionIn(after), await oldestTransaction(db));
  let seen = new Map<string, number>();
  let silentSince = performance.now();
  yield { eventId: String(from) };
  while (!ended.aborted) {
    // Before the rows: what is settled now is among them.
    const settled = await oldestTransaction(db);
    const rows = await writtenOperations(db, environmentId, { ...filter, since, from, seen: [...seen.keys()], limit: AT_ONCE });
    for (const row of rows) {
      seen.set(row.id, row.written_by);
      yield { operation: row, eventId: String(Math.min(settled, row.written_by)) };
    }
    from = Math.max(from, Math.min(settled, rows.length === AT_ONCE ? (rows.at(-1)?.written_by ?? settled) : settled));
    seen = new Map([...seen].filter(([, writtenBy]) => writtenBy >= from));
    if (rows.length > 0) silentSince = performance.now();
    else if (performance.now() - silentSince >= HEARTBEAT_MS) {
      yield { eventId: String(from) };
      silentSince = performance.now();
    }
    if (rows.length < AT_ONCE) await pauseUnlessAborted(LOOK_MS, ended);
  }
}

/** Any other text is none of ours: it begins now. */
function positionIn(eventId: string | undefined): number {
  return eventId !== undefined && /^\d{1,15}$/.test(eventId) ? Number(eventId) : Number.POSITIVE_INFINITY;
}
