import type { Knex } from 'knex';
import { notingCalls } from '../activity/noting-calls.ts';
import type { Connection } from '../connections/connection.ts';
import { connectionById } from '../connections/connection-store.ts';
import { replaceSubscription } from '../connections/subscription-store.ts';
import { ServiceError } from '../errors.ts';
import type { LifecycleDeps } from './deps.ts';
import {
  beginRegistration,
  callSubscription,
  endInFailure,
  isNothing,
  loadSubscriber,
  UnusableSubscription,
  unsubscribe,
} from './subscription-call.ts';

const QUEUE = 'subscribe';
/** Together, so that a provider that hangs holds up few others. */
const AT_ONCE = 16;
/** Before the second attempt and later ones. A reauthorization restarts them. */
const WAITS_SECONDS = [60, 300, 1_800, 7_200, 36_000] as const;
/** Errors that may be temporary; all others need the user or the operator. */
const PASSING: ReadonlySet<string> = new Set(['provider_unavailable', 'server_error']);

/** A connection without a subscription. */
interface Unsubscribed {
  readonly environmentId: number;
  /** Of the row. */
  readonly id: number;
  /** Failed attempts. */
  readonly failures?: number;
}

/** Queues a registration in the transaction, if the connection's plugin registers webhooks. */
export async function sendSubscribing(
  { plugins, queue }: LifecycleDeps,
  trx: Knex.Transaction,
  { environmentId, id, provider }: Pick<Connection, 'environmentId' | 'id' | 'provider'>,
): Promise<void> {
  if (plugins.of(provider).subscriptions?.subscribe === undefined) return;
  await queue.send(QUEUE, { environmentId, id } satisfies Unsubscribed, { trx });
}

export function startSubscribing(deps: LifecycleDeps): Promise<void> {
  const subscribeOne = (job: Unsubscribed, signal: AbortSignal) => subscribe(deps, job, signal);
  return deps.queue.work<Unsubscribed>(QUEUE, subscribeOne, { concurrency: 1, batchSize: AT_ONCE });
}

/** Registers a connection's webhooks at its provider, unless they are registered or the connection was deleted. */
export async function subscribe(deps: LifecycleDeps, job: Unsubscribed, signal?: AbortSignal): Promise<void> {
  const connection = await connectionById(deps, job.environmentId, job.id);
  const run = connection && deps.plugins.of(connection.provider).subscriptions?.subscribe;
  if (connection === undefined || run === undefined || !isNothing(connection.subscription)) return;

  const operation = beginRegistration(deps, connection, 'subscription');
  try {
    if (await notingCalls(operation.note, () => register(deps, connection, signal))) operation.end('success');
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof ServiceError || error instanceof UnusableSubscription)) throw error;
    const waitSeconds = waitAfter(error, job.failures ?? 0, deps.random);
    if (waitSeconds !== undefined) operation.note('info', 'the registration will be retried', { in_seconds: waitSeconds });
    endInFailure(deps, operation, error);
    if (waitSeconds === undefined) return;
    await deps.queue.send(QUEUE, { ...job, failures: (job.failures ?? 0) + 1 }, { startAfterSeconds: waitSeconds });
  }
}

/** @returns false if there was nothing to register, or the connection was deleted */
async function register(deps: LifecycleDeps, stored: Connection, signal: AbortSignal | undefined): Promise<boolean> {
  const subscriber = await loadSubscriber(deps, stored);
  const { connection, subject, target } = subscriber;
  const { subscribe: run, renew } = subject.plugin.subscriptions ?? {};
  if (run === undefined) return false;
  const subscription = await callSubscription(deps, subscriber, {
    hook: 'subscriptions.subscribe',
    ...(signal !== undefined && { signal }),
    run: (ctx) => run(ctx, target),
  });
  if (isNothing(subscription)) return false;
  if (await replaceSubscription(deps.db, connection, { subscription, renewAfterDays: renew?.everyDays })) return true;
  await unsubscribe(deps, subject, subscription);
  return false;
}

function waitAfter(error: Error, failures: number, random: () => number): number | undefined {
  if (!(error instanceof ServiceError && PASSING.has(error.code))) return undefined;
  const wait = WAITS_SECONDS[failures];
  return wait && Math.round(wait * (0.8 + 0.4 * random()));
}
