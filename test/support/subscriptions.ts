import type { JsonObject } from '#contract';
import { subscribe } from '../../core/connect/subscriptions/subscribing.ts';
import { subscriptionWorker } from '../../core/connect/subscriptions/subscription-worker.ts';
import { connectionById } from '../../core/connections/connection-store.ts';
import type { TestApp } from './app.ts';
import type { Connected } from './connect.ts';

/** The webhook subscription of a connection as it is stored. */
export interface StoredSubscription {
  readonly id: number;
  readonly subscription: JsonObject;
  /** The time at which the next call to the provider for the subscription is due; null when none is due. */
  readonly dueAt: Date | null;
}

export async function storedSubscription({ database }: TestApp, { connectionId }: Connected): Promise<StoredSubscription> {
  const row = await database
    .db('connections')
    .leftJoin('due_subscriptions', 'due_subscriptions.connection_id', 'connections.id')
    .where({ 'connections.connection_id': connectionId })
    .first('connections.id', 'subscription', 'due_at as dueAt');
  if (row === undefined) throw new Error(`there is no connection ${connectionId}`);
  return row;
}

/** A connection whose webhooks are yet to be registered. */
interface WaitingSubscription {
  readonly id: number;
  readonly failures: number;
  readonly inSeconds: number;
}

/** Returns the connections whose webhooks are yet to be registered, and the seconds until each is due. */
export async function waitingSubscriptions(app: TestApp): Promise<WaitingSubscription[]> {
  return waiting(app).select(
    'connections.id',
    'failures',
    app.database.db.raw('extract(epoch from due_at - now())::float as "inSeconds"'),
  );
}

/** Performs all waiting registrations immediately, even those that are due only later. @returns their number */
export async function runSubscriptions(app: TestApp): Promise<number> {
  const { db } = app.database;
  const ids = waiting(app).select('connections.id');
  await db('due_subscriptions').whereIn('connection_id', ids).update({ due_at: db.fn.now() });
  return callSubscriptions(app);
}

/** Performs the registrations and renewals that are due. @returns their number */
export function callSubscriptions(app: TestApp): Promise<number> {
  return subscriptionWorker(app.services).workOff();
}

/** Makes the registration of this connection due, and drops all other waiting registrations and renewals. */
export async function makeDue({ services: { db } }: Pick<TestApp, 'services'>, { connectionId }: Connected): Promise<void> {
  await db('due_subscriptions').delete();
  await db.raw(
    `insert into due_subscriptions (connection_id, environment_id, integration_id)
     select id, environment_id, integration_id from connections where connection_id = ?`,
    [connectionId],
  );
}

/** Registers the webhooks of one connection only, whatever else is due. */
export async function subscribeOne({ services }: Pick<TestApp, 'services'>, id: number): Promise<void> {
  const connection = await connectionById(services, 1, id);
  if (connection !== undefined) await subscribe(services, connection, { failures: 0, signal: new AbortController().signal });
}

function waiting({ database: { db } }: TestApp) {
  return db('due_subscriptions')
    .join('connections', 'connections.id', 'due_subscriptions.connection_id')
    .where({ subscription: {} })
    .whereNull('deleted_at');
}

/** Returns the operations that registered the webhooks of a connection or renewed its subscription, the oldest first. */
export async function registrationLog(app: TestApp, { connectionId }: Connected) {
  await app.services.activity.flush();
  const rows = await app.database
    .db('operation_log')
    .where({ type: 'webhook', connection_id: connectionId })
    .orderBy('created_at');
  return rows.filter(({ operation }) => operation === 'subscription' || operation === 'renewal');
}
