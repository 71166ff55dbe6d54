import type { Knex } from 'knex';
import type { WebhookAttemptRow } from '../../webhook-delivery/webhook-rows.ts';

export interface LatestAttempt extends Pick<WebhookAttemptRow, 'message_id' | 'status' | 'duration_ms' | 'error'> {
  /** Of the message, with those before its replay. */
  readonly attempts: number;
}

/** The latest attempt of each of these messages that was tried. Of the index `webhook_attempts_message`. @param ids of rows */
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
