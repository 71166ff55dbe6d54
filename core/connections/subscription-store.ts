import type { Knex } from 'knex';
import type { JsonObject } from '#contract';
import type { ConnectionRow } from '../db/rows.ts';
import type { Connection } from './connection.ts';

/** What is registered at the provider, and when that is due to be renewed; undefined: it does not expire. */
export interface Registered {
  readonly subscription: JsonObject;
  readonly renewAfterDays: number | undefined;
}

type SubscribedConnection = Pick<Connection, 'id' | 'environmentId' | 'subscription'>;

/** @returns false, and nothing was written, when the connection is gone or has another subscription than `connection` */
export async function replaceSubscription(
  db: Knex,
  connection: SubscribedConnection,
  { subscription, renewAfterDays }: Registered,
): Promise<boolean> {
  const renewAfter = renewAfterDays === undefined ? null : db.raw(`now() + ? * interval '1 day'`, [renewAfterDays]);
  const changed = await live(db, connection)
    .whereRaw('subscription = ?::jsonb', [JSON.stringify(connection.subscription)])
    .update({ subscription: db.raw('?::jsonb', [JSON.stringify(subscription)]), subscription_renew_after: renewAfter });
  return changed === 1;
}

/** A subscription that is due to be renewed. */
export type DueRenewal = Pick<Connection, 'id' | 'environmentId'>;

/** Of all environments, in the order of their IDs. */
export async function dueRenewals(
  db: Knex,
  { afterId, limit }: { readonly afterId: number; readonly limit: number },
): Promise<DueRenewal[]> {
  const rows = await due(db).where('id', '>', afterId).orderBy('id').limit(limit).select('id', 'environment_id');
  return rows.map((row) => ({ id: row.id, environmentId: row.environment_id }));
}

/** Claims a renewal, which is due again after a day unless it succeeds. @returns false if another process has claimed it */
export async function claimRenewal(db: Knex, { id, environmentId }: DueRenewal): Promise<boolean> {
  const changed = await due(db)
    .where({ id, environment_id: environmentId })
    .update({ subscription_renew_after: db.raw(`now() + interval '1 day'`) });
  return changed === 1;
}

/** Nothing is registered any more that could be renewed. */
export async function forgetRenewal(db: Knex, ref: DueRenewal): Promise<void> {
  await live(db, ref).update({ subscription_renew_after: null });
}

function due(db: Knex): Knex.QueryBuilder<ConnectionRow, ConnectionRow[]> {
  return db<ConnectionRow>('connections').whereNull('deleted_at').whereRaw('subscription_renew_after <= now()');
}

function live(db: Knex, { id, environmentId }: DueRenewal): Knex.QueryBuilder<ConnectionRow, ConnectionRow[]> {
  return db<ConnectionRow>('connections').where({ id, environment_id: environmentId }).whereNull('deleted_at');
}
