import type { Knex } from 'knex';
import { basicOf } from '../tenants/environments/webhook-login.ts';
import { signingSecrets } from '../tenants/environments/webhook-secret.ts';
import type { MessageAttempt } from './attempt.ts';
import { countFailures, INTERRUPTED, insertAttempts } from './attempt-store.ts';
import { isProbed } from './circuit-breaker.ts';
import type { WebhookDeliveryDeps } from './deps.ts';
import { claimDue, countInFlight, endAttempt, interruptedMessages, PARALLEL_PER_TARGET } from './message-store.ts';
import { noteMessage } from './notes.ts';
import { pause } from './pause-target.ts';
import { retryDelay } from './schedule.ts';
import type { LockedTarget } from './target-store.ts';

/**
 * How many attempts of one webhook may crash their process, or fail by a fault of the service, before the webhook is given up.
 */
export const MAX_FAULTS = 5;

/** Claims at most `limit` due webhooks of a target for this process. The transaction must hold the target's lock. */
export async function claimDueMessages(
  deps: WebhookDeliveryDeps,
  trx: Knex.Transaction,
  { target, limit }: { readonly target: LockedTarget; readonly limit: number },
): Promise<readonly MessageAttempt[]> {
  const { id: targetId, environmentId, slot, url } = target;
  if (target.paused || url === null) {
    await pause(deps, trx, { target, cause: 'its URL was removed' });
    return [];
  }
  if (target.holdSeconds > 0) return [];
  await endInterrupted(deps, trx, { targetId, url });
  const parallel = isProbed(target) ? 1 : PARALLEL_PER_TARGET;
  const room = Math.min(limit, parallel - (await countInFlight(trx, targetId)));
  const messages = room > 0 ? await claimDue(trx, targetId, { limit: room, oldestDays: deps.logRetentionDays }) : [];
  if (messages.length === 0) return [];
  const secrets = await signingSecrets({ db: trx, keys: deps.keys }, environmentId);
  if (secrets === undefined) throw new Error('the environment has no signing secret');
  const of = slot === 'override' ? 'connections' : 'environment';
  const basic = await basicOf({ db: trx, keys: deps.keys }, { environmentId, of, url });
  return messages.map((message) => ({ targetId, environmentId, url, basic, secrets, message }));
}

/**
 * Ends attempts whose lease has expired because their process died. The webhook may be the cause, so it waits as after any
 * failure. Its wait differs at random from those of webhooks that were sent at the same time, so that the next attempts show
 * which of them it was.
 */
async function endInterrupted(
  deps: WebhookDeliveryDeps,
  trx: Knex.Transaction,
  { targetId, url }: { readonly targetId: number; readonly url: string },
): Promise<void> {
  for (const message of await interruptedMessages(trx, targetId)) {
    const { id, isReplay, tries } = message;
    await insertAttempts(trx, [{ message_id: id, url, status: null, duration_ms: 0, error: INTERRUPTED, is_replay: isReplay }]);
    const isDeadly = (await countFailures(trx, id, [INTERRUPTED])) >= MAX_FAULTS;
    // A replay during the attempt has reset `tries` to zero.
    const waitMs = isDeadly ? undefined : retryDelay(Math.max(tries, 1), deps.random);
    await endAttempt(trx, message, waitMs === undefined ? { status: 'failed' } : { status: 'pending', waitMs });
    const what = 'was given up because processes that sent it crashed';
    if (waitMs === undefined) noteMessage(deps, message, { what, outcome: { status: null, error: INTERRUPTED } });
  }
}
