import type { Knex } from 'knex';
import { GIVEN_UP } from '../../webhook-delivery/attempt-store.ts';
import type { WebhookAttemptRow } from '../../webhook-delivery/webhook-rows.ts';

export interface LatestAttempt extends Pick<WebhookAttemptRow, 'message_id' | 'status' | 'error'> {
  /** Null if the webhook was given up, which is no attempt. */
  readonly duration_ms: number | null;
  /** Number of attempts to send the webhook, including those before a replay. */
  readonly attempts: number;
}

/**
 * Returns the latest attempt for each of these webhooks, or why it was given up; those with neither are left out. Uses the index
 * `webhook_attempts_message`.
 *
 * @param ids row IDs of `webhook_messages`
 */
export async function latestAttempts(db: Knex, environmentId: number, ids: readonly number[]): Promise<readonly LatestAttempt[]> {
  const { rows } = await db.raw<{ rows: LatestAttempt[] }>(
    `select distinct on (a.message_id) a.message_id, a.status, a.error,
       case when a.error = any(:givenUp) then null else a.duration_ms end as duration_ms,
       count(*) filter (where (a.error = any(:givenUp)) is not true) over (partition by a.message_id)::int as attempts
     from webhook_attempts a join webhook_messages m on m.id = a.message_id
     where m.environment_id = :environmentId and a.message_id = any(:ids)
     order by a.message_id, a.id desc`,
    { environmentId, ids: [...ids], givenUp: [...GIVEN_UP] },
  );
  return rows;
}
