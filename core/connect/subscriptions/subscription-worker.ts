import type { HookContext, JsonObject } from '#contract';
import type { Connection } from '../../connections/connection.ts';
import { connectionById } from '../../connections/connection-store.ts';
import {
  claimSubscriptions,
  type DueSubscription,
  type NextSubscription,
  nextSubscriptionMs,
  replaceSubscription,
  writeNextSubscription,
} from '../../connections/subscription-store.ts';
import { DueWorker } from '../../db/due-worker.ts';
import { notingCalls } from '../../journal/operation-log/noting-calls.ts';
import type { LifecycleDeps } from '../deps.ts';
import { subscribe } from './subscribing.ts';
import {
  beginRegistration,
  callSubscription,
  endInFailure,
  isNothing,
  loadSubscriber,
  unsubscribe,
} from './subscription-call.ts';

const DAY_SECONDS = 86_400;
/** How long after an internal error, such as a row that cannot be decrypted, a subscription is due again, in seconds. */
const AFTER_FAULT_SECONDS = DAY_SECONDS;

/** Registers the webhooks of new connections at their providers, and renews registrations before they expire there. */
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

/**
 * Renews a registration before it expires at its provider.
 *
 * @returns when the subscription is due next: one day after a failure, immediately if the registration has to be created again;
 *   undefined if the plugin renews nothing
 */
async function renew(deps: LifecycleDeps, connection: Connection): Promise<NextSubscription | undefined> {
  const rule = deps.plugins.of(connection.provider).subscriptions?.renew;
  if (rule === undefined) return undefined;
  const operation = beginRegistration(deps, connection, 'renewal');
  try {
    const isLost = await notingCalls(operation.note, () => callRenew(deps, connection, rule));
    if (isLost) operation.note('warn', 'the provider no longer has the webhook registration; it will be created again');
    operation.end('success');
    return { inSeconds: isLost ? 0 : rule.everyDays * DAY_SECONDS, failures: 0 };
  } catch (error) {
    endInFailure(deps, operation, error);
    return { inSeconds: DAY_SECONDS, failures: 0 };
  }
}

interface RenewRule {
  readonly everyDays: number;
  run(ctx: HookContext): Promise<JsonObject>;
}

/**
 * Runs the plugin's `renew` and stores its result.
 *
 * @returns true if the provider has lost the registration, so that it has to be created again
 */
async function callRenew(deps: LifecycleDeps, stored: Connection, rule: RenewRule): Promise<boolean> {
  const subscriber = await loadSubscriber(deps, stored);
  const { connection, subject } = subscriber;
  const subscription = await callSubscription(deps, subscriber, { hook: 'subscriptions.renew', run: (ctx) => rule.run(ctx) });
  const isKept = await replaceSubscription(deps.db, connection, subscription);
  if (isNothing(subscription)) return isKept;
  // If the connection was deleted meanwhile, its clean-up knows only the previous registration, so the new one is removed here.
  if (!isKept && JSON.stringify(subscription) !== JSON.stringify(connection.subscription))
    await unsubscribe(deps, subject, subscription);
  return false;
}
