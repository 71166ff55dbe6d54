import type { JsonObject } from '#contract';
import { subscribe } from '../../core/lifecycle/subscribing.ts';
import type { TestApp } from './app.ts';
import type { Connected } from './connect.ts';

/** What is stored of a connection's registration. */
export interface StoredSubscription {
  readonly id: number;
  readonly subscription: JsonObject;
  readonly subscription_renew_after: Date | null;
}

export async function storedSubscription({ database }: TestApp, { connectionId }: Connected): Promise<StoredSubscription> {
  const row = await database.db('connections').where({ connection_id: connectionId }).first();
  if (row === undefined) throw new Error(`there is no connection ${connectionId}`);
  return row;
}

/** A registration that waits to be made. */
export interface SubscribeJob {
  readonly environmentId: number;
  readonly id: number;
  readonly failures?: number;
}

/** Those that nobody has taken yet, and in how many seconds each is due. */
export async function waitingSubscriptions({ database }: TestApp): Promise<(SubscribeJob & { readonly inSeconds: number })[]> {
  const rows = await database
    .db('pgboss.job')
    .where({ name: 'subscribe', state: 'created' })
    .orderBy('created_on')
    .select('data', database.db.raw('extract(epoch from start_after - now())::float as in_seconds'));
  return rows.map(({ data, in_seconds }) => ({ ...data, inSeconds: in_seconds }));
}

/** Takes all registrations that wait, however long they are to wait, and makes them. @returns how many there were */
export async function runSubscriptions(app: TestApp): Promise<number> {
  const jobs = await app.database.db('pgboss.job').where({ name: 'subscribe', state: 'created' }).delete().returning('data');
  for (const { data } of jobs) await subscribe(app.services, data);
  return jobs.length;
}

/** What the operation log says of the registrations of a connection, the oldest first. */
export async function registrationLog(app: TestApp, { connectionId }: Connected) {
  await app.services.activity.flush();
  const rows = await app.database
    .db('operation_log')
    .where({ type: 'webhook', connection_id: connectionId })
    .orderBy('created_at');
  return rows.filter(({ operation }) => operation === 'subscription' || operation === 'renewal');
}
