import type { Knex } from 'knex';
import { EXPIRED, QUEUE_FULL } from './attempt-store.ts';
import { URL_OF_TARGET } from './target-store.ts';

export interface BacklogLimit {
  readonly messages: number;
  /** Total size, counted as `BYTES` does. */
  readonly bytes: number;
}

/**
 * The size of a webhook: its content and the whole payload that it refers to. A shared payload counts for each webhook, since
 * each sends it, and each alone would be enough to keep it stored.
 */
const BYTES = 'octet_length(content) + payload_bytes';

/** Adds a row to the attempts of each webhook that is given up, so that none ends without a reason. */
const INSERT_REASON = `
  insert into webhook_attempts (message_id, at, url, duration_ms, error)
  select p.id, now(), coalesce(${URL_OF_TARGET}, ''), 0, :error
  from parked p join webhook_targets t on t.id = p.target_id join environments e on e.id = t.environment_id`;

/**
 * Gives up the oldest waiting webhooks of a target beyond its bounds. The transaction must hold the target's lock.
 *
 * @returns how many
 */
export async function parkExcess(trx: Knex.Transaction, targetId: number, { messages, bytes }: BacklogLimit): Promise<number> {
  const { rowCount }: { rowCount: number } = await trx.raw(
    `with waiting as (
       select id, row_number() over newest as place, sum(${BYTES}) over newest as bytes
       from webhook_messages
       where target_id = :targetId and status in ('pending', 'paused') and (attempt_until > now()) is not true
       window newest as (order by id desc)
     ), parked as (
       update webhook_messages m set status = 'failed', ended_at = now(), next_attempt_at = null, attempt_until = null
       from waiting w where w.id = m.id and (w.place > :messages or w.bytes > :bytes)
       returning m.id, m.target_id
     ) ${INSERT_REASON}`,
    { targetId, messages, bytes, error: QUEUE_FULL },
  );
  return rowCount;
}

/** Maximum number of webhooks that one statement reads or deletes. */
const SLICE = 5_000;
const HAS_ENDED = `status in ('delivered', 'failed')`;

/** Deletes the oldest ended webhooks of a target beyond this many bytes, in slices. @returns how many */
export async function trimEnded(db: Knex, targetId: number, bytes: number): Promise<number> {
  const newestId = await newestBeyond(db, targetId, bytes);
  if (newestId === undefined) return 0;
  for (let count = 0; ; ) {
    // The row is checked again: a webhook that was replayed after the subquery is kept.
    const { rowCount }: { rowCount: number } = await db.raw(
      `delete from webhook_messages where ended_at is not null and id in (
         select id from webhook_messages where target_id = :targetId and id <= :newestId and ${HAS_ENDED} order by id limit :limit)`,
      { targetId, newestId, limit: SLICE },
    );
    count += rowCount;
    if (rowCount < SLICE) return count;
  }
}

interface SummedPage {
  /** Null when the page was empty. */
  readonly oldest: number | null;
  readonly bytes: number | null;
  readonly beyond: number | null;
}

/** @returns the ID of the newest ended webhook that, with all newer ones, exceeds this many bytes; undefined if there is none */
async function newestBeyond(db: Knex, targetId: number, bytes: number): Promise<number | undefined> {
  let left = bytes;
  for (let beforeId: number | null = Number.MAX_SAFE_INTEGER; beforeId !== null; ) {
    const { rows }: { rows: [SummedPage] } = await db.raw(
      `with page as (
         select id, ${BYTES} as bytes from webhook_messages
         where target_id = :targetId and id < :beforeId and ${HAS_ENDED} order by id desc limit :limit
       ), summed as (select id, sum(bytes) over (order by id desc) as bytes from page)
       select min(id) as oldest, max(bytes)::float8 as bytes, max(id) filter (where bytes > :left) as beyond from summed`,
      { targetId, beforeId, left, limit: SLICE },
    );
    const page: SummedPage = rows[0];
    if (page.beyond !== null) return page.beyond;
    left -= page.bytes ?? 0;
    beforeId = page.oldest;
  }
  return undefined;
}

/** Gives up webhooks that have waited for more than this many days. @returns how many, at most `limit` */
export async function expireMessages(
  db: Knex,
  { days, limit }: { readonly days: number; readonly limit: number },
): Promise<number> {
  const { rowCount }: { rowCount: number } = await db.raw(
    `with old as (
       select id from webhook_messages
       where created_at <= now() - :days * interval '1 day'
         and coalesce(replayed_at, created_at) <= now() - :days * interval '1 day'
         and status in ('pending', 'paused') and (attempt_until > now()) is not true
       limit :limit for update skip locked
     ), parked as (
       update webhook_messages m set status = 'failed', ended_at = now(), next_attempt_at = null, attempt_until = null
       from old where old.id = m.id returning m.id, m.target_id
     ) ${INSERT_REASON}`,
    { days, limit, error: EXPIRED },
  );
  return rowCount;
}

/** @returns how many were deleted, at most `limit` */
export async function deleteEndedBefore(db: Knex, before: Date, limit: number): Promise<number> {
  const old = db('webhook_messages')
    .where('created_at', '<', before)
    .where('ended_at', '<', before)
    .orderBy('created_at')
    .limit(limit)
    .select('id');
  // The row is checked again: a webhook that was replayed after the subquery is kept.
  return db('webhook_messages').whereIn('id', old).whereNotNull('ended_at').delete();
}

/** Deletes webhooks of an environment that is being erased, with their attempts. @returns how many, at most `limit` */
export async function deleteMessagesOf(db: Knex, environmentId: number, limit: number): Promise<number> {
  const some = db('webhook_messages').where({ environment_id: environmentId }).limit(limit).select('id');
  return db('webhook_messages').whereIn('id', some).delete();
}
