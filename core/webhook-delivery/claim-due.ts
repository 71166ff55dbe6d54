import type { Knex } from 'knex';
import type { Queue } from '../db/queue.ts';
import { signingSecrets } from '../environments/webhook-secret.ts';
import type { KeyRing } from '../kit/key-ring.ts';
import type { Sending } from './attempt.ts';
import { countFailures, INTERRUPTED, insertAttempts } from './attempt-store.ts';
import { claimDue, countInFlight, type DueMessage, endAttempt, interruptedMessages, LEASE_SECONDS } from './message-store.ts';
import { type NoteDeps, noteMessage } from './notes.ts';
import { pause } from './pause.ts';
import { retryDelay } from './schedule.ts';
import type { LockedTarget } from './target-store.ts';
import { wakeAfter, wakeLater } from './wake.ts';

/** Attempts at once at one target, by all instances together. */
export const PARALLEL_PER_TARGET = 5;
/** Failures in a row that stop a target for a while. After it, one message at a time tries whether it is back. */
export const FAILURES_TO_STOP = 10;
/** Attempts of one message that end their process, or meet a fault of ours, before it is parked. */
export const MAX_FAULTS = 5;

export interface TakeDeps extends NoteDeps {
  readonly keys: KeyRing;
  readonly queue: Pick<Queue, 'send'>;
  readonly logRetentionDays: number;
  readonly random: () => number;
}

interface Wanted {
  readonly target: LockedTarget;
  /** How many attempts the process can begin. */
  readonly limit: number;
  /** Something of the target was in flight until just now, so a look at what dies with its process is arranged. */
  readonly goesOn: boolean;
}

/** Takes what is due at a target, for this process to send. The transaction holds the target's lock. */
export async function takeDue(deps: TakeDeps, trx: Knex.Transaction, wanted: Wanted): Promise<readonly Sending[]> {
  const { target } = wanted;
  const { id: targetId, environmentId, url } = target;
  if (target.paused || url === null) {
    await pause(deps, trx, { target, cause: 'its URL was removed' });
    return [];
  }
  if (target.holdSeconds > 0) {
    await wakeLater(deps, trx, { targetId, why: 'hold', seconds: target.holdSeconds });
    return [];
  }
  await endInterrupted(deps, trx, { targetId, url });
  const messages = await claim(deps, trx, wanted);
  if (messages.length === 0) return [];
  const secrets = await signingSecrets({ db: trx, keys: deps.keys }, environmentId);
  if (secrets === undefined) throw new Error('an environment without a signing secret');
  return messages.map((message) => ({ targetId, url, secrets, message }));
}

async function claim(deps: TakeDeps, trx: Knex.Transaction, { target, limit, goesOn }: Wanted): Promise<readonly DueMessage[]> {
  const inFlight = await countInFlight(trx, target.id);
  const parallel = target.failures >= FAILURES_TO_STOP ? 1 : PARALLEL_PER_TARGET;
  const room = Math.min(limit, parallel - inFlight);
  const claimed = room > 0 ? await claimDue(trx, target.id, { limit: room, oldestDays: deps.logRetentionDays }) : [];
  // Should their process die, someone has to look when their time is over; that look sees to the next.
  if (!goesOn && inFlight + claimed.length > 0)
    await wakeLater(deps, trx, { targetId: target.id, why: 'lease', seconds: LEASE_SECONDS + 1 });
  return claimed;
}

/**
 * Ends attempts whose process died. The message may well be the reason, so it waits as after any failure, and never for the
 * same time as those that were sent beside it: each of them shows alone what it does.
 */
async function endInterrupted(
  deps: TakeDeps,
  trx: Knex.Transaction,
  { targetId, url }: { readonly targetId: number; readonly url: string },
): Promise<void> {
  for (const message of await interruptedMessages(trx, targetId)) {
    const { id, isReplay, tries } = message;
    await insertAttempts(trx, [{ message_id: id, url, status: null, duration_ms: 0, error: INTERRUPTED, is_replay: isReplay }]);
    const isDeadly = (await countFailures(trx, id, [INTERRUPTED])) >= MAX_FAULTS;
    // A replay while it was under way has set the tries to zero.
    const waitMs = isDeadly ? undefined : retryDelay(Math.max(tries, 1), deps.random);
    await endAttempt(trx, message, waitMs === undefined ? { status: 'failed' } : { status: 'pending', waitMs });
    if (waitMs === undefined) noteMessage(deps, message, 'given up: each process that sent it died');
    else await wakeAfter(deps, trx, { targetId, waitMs });
  }
}
