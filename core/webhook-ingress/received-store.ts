import type { Knex } from 'knex';
import type { OperationLogRow } from '../db/operation-rows.ts';

/** Looked through for those that were received: what was sent to the application is among them. */
const MAX_LOOKED_AT = 1_000;

/** What `noteMatch` has written of a delivery. */
export interface ReceivedWebhook {
  /** Of the operation. */
  readonly id: string;
  readonly matchedAt: Date;
  /** Its events, at most 20. */
  readonly events: readonly { readonly type: string | null }[];
  readonly verified: boolean;
  readonly forwarded: boolean;
  readonly connectionCount: number;
  /** Absent unless there is exactly one. */
  readonly connectionId: string | null;
}

/** The latest webhooks of an integration, by its key, newest first. */
export function latestReceived(
  db: Knex,
  { environmentId, uniqueKey }: { readonly environmentId: number; readonly uniqueKey: string },
  limit: number,
): Promise<ReceivedWebhook[]> {
  const latest = db<OperationLogRow>('operation_log')
    .where({ environment_id: environmentId, provider_config_key: uniqueKey, type: 'webhook' })
    .orderBy('created_at', 'desc')
    .limit(MAX_LOOKED_AT)
    .select('id', 'created_at', 'connection_id', db.raw(`messages -> 0 -> 'facts' as facts`));
  return db
    .from(latest.as('latest'))
    .whereRaw(`facts -> 'connectionCount' is not null`)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .select<ReceivedWebhook[]>(
      'id',
      { matchedAt: 'created_at', connectionId: 'connection_id' },
      db.raw(
        `facts -> 'events' as events, (facts ->> 'verified')::boolean as verified, (facts ->> 'forwarded')::boolean as forwarded`,
      ),
      db.raw(`(facts ->> 'connectionCount')::int as "connectionCount"`),
    );
}
