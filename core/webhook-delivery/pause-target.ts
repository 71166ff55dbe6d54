import type { Knex } from 'knex';
import type { WebhookDeliveryDeps } from './deps.ts';
import { pauseMessages } from './message-store.ts';
import { noteTarget } from './notes.ts';
import { type LockedTarget, pauseTarget } from './target-store.ts';

/** Pauses a target until its URL is set again or one of its webhooks is replayed; its webhooks wait. */
export async function pause(
  deps: WebhookDeliveryDeps,
  trx: Knex.Transaction,
  { target, cause }: { readonly target: LockedTarget; readonly cause: string },
): Promise<void> {
  if (!target.paused) {
    await pauseTarget(trx, target.id, cause);
    noteTarget(deps, target, `was paused: ${cause}`);
  }
  await pauseMessages(trx, target.id);
}
