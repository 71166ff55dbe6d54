import type { Knex } from 'knex';
import type { WebhookAttemptRow } from '../../webhook-delivery/webhook-rows.ts';

export interface LatestAttempt extends Pick<WebhookAttemptRow, 'message_id' | 'status' | 'duration_ms' | 'error'> {
  /** Number of attempts to send the webhook, including those before a replay. */
  readonly attempts: number;
}

/**
 * Returns the latest attempt for each of these webhooks; those without an attempt are left out. Uses the index
 * `webhook_attempts_message`.
 *
 * @param ids row IDs of `webhook_messages`
 */
export async function latestAttempts(db: Knex, environmentId: number, ids: readonly number[]): Promise<readonly LatestAttempt[]> {
  const { rows } = await db.raw<{ rows: LatestAttempt[] }>(
    `select distinct on (a.message_id) a.message_id, a.status, a.duration_ms, a.error,
       count(*) over (partition by a.message_id)::int as attempts
     from webhook_attempts a join webhook_messages m on m.id = a.message_id
     where m.environment_id = ? and a.message_id = any(?)
     order by a.message_id, a.id desc`,
    [environmentId, [...ids]],
  );
  return rows;
}
