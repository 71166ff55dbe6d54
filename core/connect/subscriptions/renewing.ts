import type { HookContext, JsonObject } from '#contract';
import type { Connection } from '../../connections/connection.ts';
import { type NextSubscription, replaceSubscription } from '../../connections/subscription-store.ts';
import { notingCalls } from '../../journal/operation-log/noting-calls.ts';
import type { LifecycleDeps } from '../deps.ts';
import {
  beginRegistration,
  callSubscription,
  endInFailure,
  isNothing,
  loadSubscriber,
  unsubscribe,
} from './subscription-call.ts';

const DAY_SECONDS = 86_400;

/**
 * Renews a registration that would expire at its provider.
 *
 * @returns when it is due again: after a failure in a day, at once if it has to be made anew
 */
export async function renew(deps: LifecycleDeps, connection: Connection): Promise<NextSubscription | undefined> {
  const rule = deps.plugins.of(connection.provider).subscriptions?.renew;
  if (rule === undefined) return undefined;
  const operation = beginRegistration(deps, connection, 'renewal');
  try {
    const isLost = await notingCalls(operation.note, () => callRenew(deps, connection, rule));
    if (isLost) operation.note('warn', 'the provider has lost the registration; it will be created again');
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

/** @returns whether the provider has lost the registration */
async function callRenew(deps: LifecycleDeps, stored: Connection, rule: RenewRule): Promise<boolean> {
  const subscriber = await loadSubscriber(deps, stored);
  const { connection, subject } = subscriber;
  const subscription = await callSubscription(deps, subscriber, { hook: 'subscriptions.renew', run: (ctx) => rule.run(ctx) });
  const isKept = await replaceSubscription(deps.db, connection, subscription);
  if (isNothing(subscription)) return isKept;
  // The clean-up of a connection that was deleted meanwhile has the previous registration.
  if (!isKept && JSON.stringify(subscription) !== JSON.stringify(connection.subscription))
    await unsubscribe(deps, subject, subscription);
  return false;
}
