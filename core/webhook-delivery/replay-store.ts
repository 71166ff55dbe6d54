import type { Knex } from 'knex';
import type { WebhookMessageRow } from './webhook-rows.ts';

/**
 * Locks the targets of webhooks, in a fixed order. A process that claims webhooks or records an attempt locks the target first,
 * so the target's state cannot change until this transaction ends. New webhooks may still be inserted.
 *
 * @param ids of rows
 */
export async function lockTargetsOf(trx: Knex.Transaction, environmentId: number, ids: readonly number[]): Promise<number[]> {
  const targets = trx<WebhookMessageRow>('webhook_messages')
    .where({ environment_id: environmentId })
    .whereRaw('id = any(?::bigint[])', [[...ids]])
    .select('target_id');
  const rows: { id: number }[] = await trx('webhook_targets')
    .where({ environment_id: environmentId })
    .whereIn('id', targets)
    .orderBy('id')
    .forNoKeyUpdate()
    .select('id');
  return rows.map(({ id }) => id);
}

/**
 * Restarts the schedule of webhooks from now. A webhook in flight stays with its process.
 *
 * @param ids of rows @returns how many there were
 */
export async function restartSchedule(trx: Knex.Transaction, environmentId: number, ids: readonly number[]): Promise<number> {
  return trx<WebhookMessageRow>('webhook_messages')
    .where({ environment_id: environmentId })
    .whereRaw('id = any(?::bigint[])', [[...ids]])
    .update({
      status: 'pending',
      tries: 0,
      early_at: null,
      next_attempt_at: trx.fn.now(),
      replayed_at: trx.fn.now(),
      ended_at: null,
    });
}
