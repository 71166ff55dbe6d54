import type { Knex } from 'knex';
import { pauseUnlessAborted } from '../../kit/abortable.ts';
import { type Clock, daysBefore } from '../../kit/clock.ts';
import { oldestTransaction, type WrittenOperation, writtenOperations } from './follow-store.ts';
import type { OperationFilter } from './list-store.ts';

const LOOK_MS = 1_000;
/** Milliseconds of silence before a heartbeat, since proxies close network connections that have been silent for a minute. */
const HEARTBEAT_MS = 15_000;
const AT_ONCE = 500;
/**
 * An operation that took longer is not yielded when it ends: finding it would require reading every partition of the log, since
 * they are divided by the time of beginning.
 */
const LONGEST_DAYS = 1;

export interface FollowedOperation {
  /** Undefined for a heartbeat and for the position that is yielded at the beginning. */
  readonly operation?: WrittenOperation;
  /**
   * The value for `Last-Event-ID`: a client that sends it receives all operations after this event, and perhaps some earlier ones
   * again.
   */
  readonly eventId: string;
}

/**
 * Yields, once each, the operations of an environment that are written from now on, or since the event `after`. At the beginning,
 * and after 15 seconds of silence, it yields only its position in the log, so that a client that is disconnected before the first
 * operation can resume from there, too. Operations that another instance commits late are not missed: the rows of a transaction
 * are queried again until no earlier transaction is under way.
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
    // Read before the rows, which then include those of all transactions that have ended by now.
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

/** Returns the transaction to begin with. For any text that is not an event ID of this service, following begins now. */
function positionIn(eventId: string | undefined): number {
  return eventId !== undefined && /^\d{1,15}$/.test(eventId) ? Number(eventId) : Number.POSITIVE_INFINITY;
}
