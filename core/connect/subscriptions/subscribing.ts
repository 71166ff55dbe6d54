import type { Knex } from 'knex';
import type { Connection } from '../../connections/connection.ts';
import { expectHandshake } from '../../connections/handshake-secret-store.ts';
import { type NextSubscription, replaceSubscription, writeDueSubscription } from '../../connections/subscription-store.ts';
import { ServiceError } from '../../errors.ts';
import { notingCalls } from '../../journal/operation-log/noting-calls.ts';
import type { LifecycleDeps } from '../deps.ts';
import {
  beginRegistration,
  callSubscription,
  endInFailure,
  isNothing,
  loadSubscriber,
  UnusableSubscription,
  unsubscribe,
} from './subscription-call.ts';

/**
 * The waits before the second and later attempts to register a connection's webhooks, in seconds. After a reauthorization they
 * begin with the first one again.
 */
const WAITS_SECONDS = [60, 300, 1_800, 7_200, 36_000] as const;
/** Codes of errors that may be temporary, so that registering is retried; after others the user or the operator has to act. */
const PASSING: ReadonlySet<string> = new Set(['provider_unavailable', 'server_error']);

/**
 * Has a worker register the webhooks of a connection once the transaction has committed. Does nothing if the plugin registers
 * none.
 */
export async function sendSubscribing(
  { plugins, signals }: LifecycleDeps,
  trx: Knex.Transaction,
  connection: Pick<Connection, 'environmentId' | 'integrationId' | 'id' | 'provider'>,
): Promise<void> {
  if (plugins.of(connection.provider).subscriptions?.subscribe === undefined) return;
  await writeDueSubscription(trx, connection);
  signals.send(trx, 'subscriptions');
}

interface SubscribingAttempt {
  /** Number of consecutive failed registrations. */
  readonly failures: number;
  readonly signal: AbortSignal;
}

/**
 * Registers a connection's webhooks at its provider. The connection must not have a registration yet.
 *
 * @returns when the subscription is due next, to be renewed or to be retried after a failure that may be temporary; undefined if
 *   it is not due again
 * @throws the reason with which `signal` was aborted
 */
export async function subscribe(
  deps: LifecycleDeps,
  connection: Connection,
  { failures, signal }: SubscribingAttempt,
): Promise<NextSubscription | undefined> {
  const { subscribe: run, renew } = deps.plugins.of(connection.provider).subscriptions ?? {};
  if (run === undefined) return undefined;
  const operation = beginRegistration(deps, connection, 'subscription');
  try {
    const isRegistered = await notingCalls(operation.note, () => register(deps, connection, signal));
    if (isRegistered) operation.end('success');
    return isRegistered && renew !== undefined ? { inSeconds: renew.everyDays * 86_400, failures: 0 } : undefined;
  } catch (error) {
    signal.throwIfAborted();
    const inSeconds = waitAfter(error, failures, deps.random);
    if (inSeconds !== undefined) operation.note('info', 'the webhook registration will be retried', { in_seconds: inSeconds });
    endInFailure(deps, operation, error);
    return inSeconds === undefined ? undefined : { inSeconds, failures: failures + 1 };
  }
}

/**
 * @returns false if there was nothing to register, or if the connection was deleted or changed meanwhile, so that the
 *   registration was removed again
 */
async function register(deps: LifecycleDeps, stored: Connection, signal: AbortSignal): Promise<boolean> {
  const subscriber = await loadSubscriber(deps, stored);
  const { connection, subject, target } = subscriber;
  const run = subject.plugin.subscriptions?.subscribe;
  if (run === undefined) return false;
  await expectHandshake(deps.db, connection);
  const subscription = await callSubscription(deps, subscriber, {
    hook: 'subscriptions.subscribe',
    signal,
    run: (ctx) => run(ctx, target),
  });
  if (isNothing(subscription)) return false;
  if (await replaceSubscription(deps.db, connection, subscription)) return true;
  await unsubscribe(deps, subject, subscription);
  return false;
}

/** @returns the wait before the next attempt, in seconds; undefined if there is to be none */
function waitAfter(error: unknown, failures: number, random: () => number): number | undefined {
  const isFinal = error instanceof UnusableSubscription || (error instanceof ServiceError && !PASSING.has(error.code));
  const wait = isFinal ? undefined : WAITS_SECONDS[failures];
  return wait && Math.round(wait * (0.8 + 0.4 * random()));
}
