import type { Knex } from 'knex';

/** A delivery, stored until it is handled. */
export interface WebhookDeliveryRow {
  readonly id: number;
  readonly environment_id: number;
  readonly integration_id: number;
  readonly verified: boolean;
  readonly content: Buffer;
  readonly received_at: Date;
  /** See `kit/tracing.ts`; null: matching it begins a trace. */
  readonly trace_context: string | null;
}

interface InsertedDelivery extends Omit<WebhookDeliveryRow, 'received_at'> {
  readonly key: Buffer;
  readonly seen_at: Date;
}

interface ReceivedDelivery {
  readonly at: Date;
  /** A delivery whose duplicate was received before this time counts as new. */
  readonly since: Date;
}

/**
 * Stores deliveries, except those of which a duplicate was received within a day. Their keys must be distinct.
 *
 * @returns the IDs of those stored
 */
export async function insertNewDeliveries(
  db: Knex,
  rows: readonly InsertedDelivery[],
  { at, since }: ReceivedDelivery,
): Promise<Set<number>> {
  // The contents are one binary parameter: an array of them would be encoded as text. The rows are sorted, so that two
  // transactions with the same keys lock them in the same order.
  const { rows: stored }: { rows: { id: number }[] } = await db.raw(
    `with incoming as materialized (
       select id, environment_id, integration_id, verified, decode(key, 'hex') as key, seen_at,
              nullif(trace_context, '') as trace_context,
              substring(?::bytea from start for length) as content
       from unnest(?::bigint[], ?::bigint[], ?::bigint[], ?::boolean[], ?::text[], ?::timestamptz[], ?::text[], ?::integer[], ?::integer[])
         as incoming (id, environment_id, integration_id, verified, key, seen_at, trace_context, start, length)
     ), fresh as (
       insert into webhook_duplicates (integration_id, key, seen_at)
       select integration_id, key, seen_at from incoming order by integration_id, key
       on conflict (integration_id, key) do update set seen_at = excluded.seen_at where webhook_duplicates.seen_at <= ?
       returning integration_id, key
     )
     insert into webhook_deliveries (id, environment_id, integration_id, verified, content, received_at, trace_context)
     select id, environment_id, integration_id, verified, content, ?::timestamptz, trace_context
     from incoming join fresh using (integration_id, key)
     returning id`,
    [
      joined(rows.map((row) => row.content)),
      rows.map((row) => row.id),
      rows.map((row) => row.environment_id),
      rows.map((row) => row.integration_id),
      rows.map((row) => row.verified),
      rows.map((row) => row.key.toString('hex')),
      rows.map((row) => row.seen_at.toISOString()),
      rows.map((row) => row.trace_context ?? ''),
      startsOf(rows),
      rows.map((row) => row.content.length),
      since,
      at,
    ],
  );
  return new Set(stored.map((row) => row.id));
}

/** Concatenates contents. A single one, often large, is not copied. */
function joined(contents: readonly Buffer[]): Buffer {
  const [first] = contents;
  return first !== undefined && contents.length === 1 ? first : Buffer.concat(contents);
}

/** Returns the offset of each content, from 1. */
function startsOf(rows: readonly InsertedDelivery[]): number[] {
  let next = 1;
  return rows.map(({ content }) => {
    const start = next;
    next += content.length;
    return start;
  });
}

/** A delivery with what matching needs to know of its integration and environment. */
export interface ClaimedDelivery extends WebhookDeliveryRow {
  readonly unique_key: string;
  readonly provider: string;
  readonly forward_webhooks: boolean;
  /** Whether the environment has a URL for webhooks; a connection may have one of its own. */
  readonly has_webhook_url: boolean;
  /** True when the integration, its environment, or both are deleted. */
  readonly is_receiver_deleted: boolean;
}

interface ClaimLimits {
  readonly rows: number;
  readonly bytes: number;
  /** Row IDs to skip. */
  readonly except: readonly number[];
}

/**
 * Claims the oldest deliveries that no other transaction has claimed, at least one if there is any. They are deleted when this
 * transaction commits.
 */
export async function claimDeliveries(trx: Knex.Transaction, { rows, bytes, except }: ClaimLimits): Promise<ClaimedDelivery[]> {
  const { rows: claimed }: { rows: ClaimedDelivery[] } = await trx.raw(
    `with locked as materialized (
       select id, octet_length(content) as size from webhook_deliveries
       where id <> all(?::bigint[]) order by id limit ? for update skip locked
     ), claimed as (
       delete from webhook_deliveries
       where id = any(array(
         select id from (select id, sum(size) over (order by id) - size as before from locked) sized where before < ?))
       returning *
     )
     select d.*, i.unique_key, i.provider, i.forward_webhooks,
            (e.webhook_url is not null or e.webhook_url_secondary is not null) as has_webhook_url,
            (i.deleted_at is not null or e.deleted_at is not null) as is_receiver_deleted
     from claimed d join integrations i on i.id = d.integration_id join environments e on e.id = d.environment_id
     order by d.id`,
    [[...except], rows, bytes],
  );
  return claimed;
}
