import { connectionById } from '../../connections/connection-store.ts';
import {
  claimSubscriptions,
  type DueSubscription,
  type NextSubscription,
  nextSubscriptionMs,
  writeNextSubscription,
} from '../../connections/subscription-store.ts';
import { DueWorker } from '../../db/due-worker.ts';
import type { LifecycleDeps } from '../deps.ts';
import { renew } from './renewing.ts';
import { subscribe } from './subscribing.ts';
import { isNothing } from './subscription-call.ts';

/** After a fault of ours, such as a row that cannot be decrypted. */
const AFTER_FAULT_SECONDS = 86_400;

/** Registers the webhooks of new connections at their providers, and renews registrations that would expire there. */
export function subscriptionWorker(deps: LifecycleDeps): DueWorker<DueSubscription> {
  const { signals, log, db } = deps;
  return new DueWorker({
    ...{ signals, log, topic: 'subscriptions' },
    claim: (room) => claimSubscriptions(db, room),
    nextDueMs: () => nextSubscriptionMs(db),
    groupOf: ({ integrationId }) => String(integrationId),
    work: (row, signal) => workOn(deps, row, signal),
  });
}

async function workOn(deps: LifecycleDeps, row: DueSubscription, signal: AbortSignal): Promise<void> {
  let next: NextSubscription | undefined = { inSeconds: AFTER_FAULT_SECONDS, failures: row.failures };
  try {
    next = await nextOf(deps, row, signal);
  } finally {
    await writeNextSubscription(deps.db, row, next);
  }
}

async function nextOf(deps: LifecycleDeps, row: DueSubscription, signal: AbortSignal): Promise<NextSubscription | undefined> {
  const { environmentId, id, failures } = row;
  const connection = await connectionById(deps, environmentId, id);
  if (connection === undefined) return undefined;
  if (!isNothing(connection.subscription)) return renew(deps, connection);
  try {
    return await subscribe(deps, connection, { failures, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    return { inSeconds: 0, failures };
  }
}
