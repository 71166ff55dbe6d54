import type { Knex } from 'knex';
import type { OperationLogRow } from '../journal/operation-log/operation-log-row.ts';

/** Number of an integration's latest deliveries in the log that are searched. */
const MAX_LOOKED_AT = 1_000;
/** The operations of `noteMatch` and `noteRefusal`. */
const OPERATIONS = ['received', 'refused'];

/** Maximum number of refusals among accepted deliveries: anyone can cause refusals, which must not displace the latter. */
export const MAX_REFUSED = 10;

/** A received delivery, as `noteMatch` or `noteRefusal` has logged it. */
export interface ReceivedWebhook {
  /** The ID of the operation. */
  readonly id: string;
  /** The key that the integration had when the delivery was processed; null if it was for none. */
  readonly uniqueKey: string | null;
  /** When the delivery arrived: it may have waited to be matched. */
  readonly receivedAt: Date;
  /** The events of the delivery, at most 20. */
  readonly events: readonly { readonly type: string | null }[];
  readonly verified: boolean;
  readonly forwarded: boolean;
  readonly connectionCount: number;
  /** Null unless there is exactly one. */
  readonly connectionId: string | null;
  /** The error code of the refusal, and the reason in words; null when the delivery was accepted. */
  readonly refusalCode: string | null;
  readonly refusal: string | null;
}

interface ReceivedFilter {
  readonly environmentId: number;
  /** The present and former keys of integrations. Default: the deliveries to all integrations. */
  readonly uniqueKeys?: readonly string[] | undefined;
  /** Default: accepted deliveries, and the latest ten refused ones. */
  readonly outcome?: 'accepted' | 'refused' | undefined;
}

/** Returns the latest deliveries, newest first. */
export function latestReceived(
  db: Knex,
  { environmentId, uniqueKeys, outcome }: ReceivedFilter,
  limit: number,
): Promise<ReceivedWebhook[]> {
  const logged = db<OperationLogRow>('operation_log').where({ environment_id: environmentId, type: 'webhook' });
  if (uniqueKeys !== undefined) logged.whereIn('provider_config_key', [...uniqueKeys]);
  const latest = logged
    .whereIn(
      'operation',
      OPERATIONS.filter((one) => outcome === undefined || (one === 'refused') === (outcome === 'refused')),
    )
    .orderBy('created_at', 'desc')
    .limit(MAX_LOOKED_AT)
    .select('id', 'created_at', 'connection_id', 'provider_config_key', db.raw(`messages -> 0 -> 'facts' as facts`));
  const received = db
    .from(latest.as('latest'))
    .whereRaw(`(facts -> 'connectionCount' is not null or facts -> 'error' is not null)`)
    .select('*', db.raw(`row_number() over (partition by facts -> 'error' is null order by created_at desc) as place`));
  return db
    .from(received.as('received'))
    .whereRaw(`(facts -> 'error' is null or place <= ?)`, [outcome === 'refused' ? limit : MAX_REFUSED])
    .orderBy('created_at', 'desc')
    .limit(limit)
    .select<ReceivedWebhook[]>(
      'id',
      { connectionId: 'connection_id', uniqueKey: 'provider_config_key' },
      db.raw(`coalesce((facts ->> 'receivedAt')::timestamptz, created_at) as "receivedAt"`),
      db.raw(`coalesce(facts -> 'events', '[]') as events`),
      db.raw(`coalesce((facts ->> 'verified')::boolean, false) as verified`),
      db.raw(`coalesce((facts ->> 'forwarded')::boolean, false) as forwarded`),
      db.raw(`coalesce((facts ->> 'connectionCount')::int, 0) as "connectionCount"`),
      db.raw(`facts ->> 'error' as "refusalCode", facts ->> 'reason' as refusal`),
    );
}
