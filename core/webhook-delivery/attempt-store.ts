import type { Knex } from 'knex';
import type { WebhookAttemptRow } from './webhook-rows.ts';

/**
 * Values of `error`: the process died during the attempt; or the webhook was given up without an attempt, because too many were
 * waiting or it had waited too long.
 */
export const INTERRUPTED = 'interrupted';
export const QUEUE_FULL = 'queue_full';
export const EXPIRED = 'expired';
/** Errors of rows that say why a webhook was given up, and are no attempts. */
export const GIVEN_UP: readonly string[] = [QUEUE_FULL, EXPIRED];

export type NewAttempt = Omit<WebhookAttemptRow, 'id' | 'at'>;

export async function insertAttempts(trx: Knex.Transaction, attempts: readonly NewAttempt[]): Promise<void> {
  if (attempts.length === 0) return;
  await trx('webhook_attempts').insert(
    attempts.map((attempt) => ({ ...attempt, at: trx.raw(`now() - ? * interval '1 millisecond'`, [attempt.duration_ms]) })),
  );
}

/** Counts how often a webhook failed with one of these errors, since its replay if it was replayed. */
export async function countFailures(trx: Knex.Transaction, messageId: number, errors: readonly string[]): Promise<number> {
  const [row]: { count: number }[] = await trx('webhook_attempts as a')
    .join('webhook_messages as m', 'm.id', 'a.message_id')
    .where('a.message_id', messageId)
    .whereIn('a.error', errors)
    .whereRaw('(m.replayed_at is null or a.at >= m.replayed_at)')
    .count();
  return row?.count ?? 0;
}
