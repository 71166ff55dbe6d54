import type { Knex } from 'knex';
import type { JsonObject } from '#contract';
import { claimRows, type DueTable, dueIn, nextDueMs } from '../db/claim-due-rows.ts';
import type { Room } from '../db/due-worker.ts';
import type { Connection } from './connection.ts';
import type { ConnectionRow } from './connection-row.ts';

/** How long a claim lasts, in seconds: longer than the calls to the provider for one row take. */
const CLAIM_SECONDS = 120;
const TABLE = 'due_subscriptions';
const DUE: DueTable = { table: TABLE, key: 'connection_id', group: 'integration_id::text' };

interface SubscriptionRow {
  readonly connection_id: number;
  readonly environment_id: number;
  readonly integration_id: number;
  readonly failures: number;
}

type ConnectionIds = Pick<Connection, 'id' | 'environmentId'>;

/**
 * Replaces the stored subscription of a connection.
 *
 * @returns false, without writing anything, when the connection was deleted or its subscription has changed since it was read
 */
export async function replaceSubscription(
  db: Knex,
  { id, environmentId, subscription: before }: ConnectionIds & Pick<Connection, 'subscription'>,
  subscription: JsonObject,
): Promise<boolean> {
  const changed = await db<ConnectionRow>('connections')
    .where({ id, environment_id: environmentId })
    .whereNull('deleted_at')
    .whereRaw('subscription = ?::jsonb', [JSON.stringify(before)])
    .update({ subscription: db.raw('?::jsonb', [JSON.stringify(subscription)]) });
  return changed === 1;
}

/** A connection whose webhooks are due to be registered, or whose subscription is due to be renewed. */
export interface DueSubscription extends ConnectionIds {
  readonly integrationId: number;
  /** Number of consecutive failed registrations. */
  readonly failures: number;
  /** Changes whenever the row is written, so that a worker notices that its claim is outdated. */
  readonly stamp: string;
}

/**
 * Makes a connection due now for the registration of its webhooks, whatever its row said before. Meant for a connection that has
 * nothing registered.
 */
export async function writeDueSubscription(
  trx: Knex,
  { id, environmentId, integrationId }: ConnectionIds & Pick<Connection, 'integrationId'>,
): Promise<void> {
  await trx(TABLE)
    .insert({ connection_id: id, environment_id: environmentId, integration_id: integrationId })
    .onConflict('connection_id')
    .merge({ due_at: trx.fn.now(), failures: 0 });
}

/** Claims rows that are due. Each is due again after two minutes if its process ends before it writes the next due time. */
export async function claimSubscriptions(db: Knex, room: Room): Promise<DueSubscription[]> {
  const rows = await claimRows<SubscriptionRow>(db, DUE, { room, claimSeconds: CLAIM_SECONDS });
  return rows.map((row) => ({
    id: row.connection_id,
    environmentId: row.environment_id,
    integrationId: row.integration_id,
    failures: row.failures,
    stamp: row.stamp,
  }));
}

/** In how many seconds a subscription is due next, and how often in a row its registration has failed. */
export interface NextSubscription {
  readonly inSeconds: number;
  readonly failures: number;
}

/** Writes when a claimed row is due next; undefined removes the row. Does nothing if the row was written meanwhile. */
export async function writeNextSubscription(
  db: Knex,
  { id, environmentId, stamp }: DueSubscription,
  next: NextSubscription | undefined,
): Promise<void> {
  const claimed = db(TABLE)
    .where({ connection_id: id, environment_id: environmentId })
    .whereRaw('extract(epoch from due_at)::text = ?', [stamp]);
  if (next === undefined) await claimed.delete();
  else await claimed.update({ due_at: dueIn(db, next.inSeconds), failures: next.failures });
}

/** Returns the milliseconds until the next row falls due; undefined when none does. */
export function nextSubscriptionMs(db: Knex): Promise<number | undefined> {
  return nextDueMs(db, DUE);
}
