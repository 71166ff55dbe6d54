import type { HookContext, JsonObject } from '#contract';
import { notingCalls } from '../activity/noting-calls.ts';
import type { Connection } from '../connections/connection.ts';
import { connectionById } from '../connections/connection-store.ts';
import {
  claimRenewal,
  type DueRenewal,
  dueRenewals,
  forgetRenewal,
  replaceSubscription,
} from '../connections/subscription-store.ts';
import { withTransaction } from '../db/transaction.ts';
import type { LifecycleDeps } from './deps.ts';
import { sendSubscribing } from './subscribing.ts';
import {
  beginRegistration,
  callSubscription,
  endInFailure,
  isNothing,
  loadSubscriber,
  unsubscribe,
} from './subscription-call.ts';
import { type SweepLimits, type SweepTally, sweep } from './sweep.ts';

/**
 * Renews registrations that would expire at their providers. A failed one is retried each day; concurrent sweeps claim different
 * ones.
 */
export function sweepRenewals(deps: LifecycleDeps, limits: SweepLimits = {}): Promise<SweepTally> {
  return sweep({
    ...limits,
    page: (range) => dueRenewals(deps.db, range),
    each: (due) => renewDue(deps, due),
    isClosed: () => deps.refreshing.isClosed,
  });
}

async function renewDue(deps: LifecycleDeps, due: DueRenewal): Promise<boolean> {
  try {
    if (!(await claimRenewal(deps.db, due))) return true;
    const connection = await connectionById(deps, due.environmentId, due.id);
    return connection === undefined || (await renew(deps, connection));
  } catch (error) {
    deps.log.error('a registration could not be renewed', { error, connection: due.id });
    return false;
  }
}

async function renew(deps: LifecycleDeps, connection: Connection): Promise<boolean> {
  const rule = deps.plugins.of(connection.provider).subscriptions?.renew;
  if (rule === undefined || isNothing(connection.subscription)) {
    await forgetRenewal(deps.db, connection);
    return true;
  }
  const operation = beginRegistration(deps, connection, 'renewal');
  try {
    const isLost = await notingCalls(operation.note, () => callRenew(deps, connection, rule));
    if (isLost) operation.note('warn', 'the provider has lost the registration; it will be created again');
    operation.end('success');
    return true;
  } catch (error) {
    endInFailure(deps, operation, error);
    return false;
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
  if (isNothing(subscription)) {
    await withTransaction(deps.db, async (trx) => {
      const isForgotten = await replaceSubscription(trx, connection, { subscription, renewAfterDays: undefined });
      if (isForgotten) await sendSubscribing(deps, trx, connection);
    });
    return true;
  }
  const isKept = await replaceSubscription(deps.db, connection, { subscription, renewAfterDays: rule.everyDays });
  // The clean-up of a connection that was deleted meanwhile has the previous registration.
  if (!isKept && JSON.stringify(subscription) !== JSON.stringify(connection.subscription))
    await unsubscribe(deps, subject, subscription);
  return false;
}
