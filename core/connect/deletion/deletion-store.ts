import type { Knex } from 'knex';
import type { Connection } from '../../connections/connection.ts';
import { claimRows, type DueTable, nextDueMs } from '../../db/claim-due-rows.ts';
import type { Room } from '../../db/due-worker.ts';

interface ConnectionDeletionRow {
  readonly connection_id: number;
  readonly environment_id: number;
  readonly integration_id: number;
  readonly step: 'script' | 'clean-up' | 'revoke' | 'erase';
  readonly due_at: Date;
  readonly created_at: Date;
}

const TABLE = 'connection_deletions';
/**
 * The group of all rows whose step is a script. Workers work on few rows of a group at a time, and there is one such group for
 * all environments, since they share the few workers of scripts.
 */
export const SCRIPTS = 'script';
const DUE: DueTable = {
  table: TABLE,
  key: 'connection_id',
  group: `case step when 'script' then '${SCRIPTS}' else integration_id::text end`,
};

export type DeletionStep = ConnectionDeletionRow['step'];

/** A deletion that its process did not finish. */
export interface DueDeletion {
  readonly connectionId: number;
  readonly environmentId: number;
  readonly integrationId: number;
  readonly step: DeletionStep;
}

/** Inserts a deletion in the transaction that marks the connection as deleted; this process holds its claim from the start. */
export async function insertDeletion(
  trx: Knex,
  { id, environmentId, integrationId }: Pick<Connection, 'id' | 'environmentId' | 'integrationId'>,
  claimSeconds: number,
): Promise<void> {
  await trx<ConnectionDeletionRow>(TABLE).insert({
    connection_id: id,
    environment_id: environmentId,
    integration_id: integrationId,
    due_at: inSeconds(trx, claimSeconds),
  });
}

export async function writeStep(
  db: Knex,
  { id, environmentId }: Pick<Connection, 'id' | 'environmentId'>,
  step: DeletionStep,
): Promise<void> {
  await db<ConnectionDeletionRow>(TABLE).where({ connection_id: id, environment_id: environmentId }).update({ step });
}

/**
 * The seconds between attempts to revoke at a provider that cannot be called, and how many seconds after the deletion the
 * attempts end.
 */
export const REVOCATION = { seconds: 30, withinSeconds: 600 };

/**
 * Schedules another attempt to revoke.
 *
 * @returns false if the deletion is too old for another attempt
 */
export async function postponeRevocation(
  db: Knex,
  { id, environmentId, integrationId }: Pick<Connection, 'id' | 'environmentId' | 'integrationId'>,
): Promise<boolean> {
  const { rowCount }: { rowCount: number } = await db.raw(
    `insert into ${TABLE} as row (connection_id, environment_id, integration_id, step, due_at)
     values (?, ?, ?, 'revoke', ?)
     on conflict (connection_id) do update set step = excluded.step, due_at = excluded.due_at
     where row.created_at > clock_timestamp() - ? * interval '1 second'`,
    [id, environmentId, integrationId, inSeconds(db, REVOCATION.seconds), REVOCATION.withinSeconds],
  );
  return rowCount === 1;
}

/** Returns the connections of a deleted integration whose revocation is to be retried, the longest waiting first. */
export async function idsToRevoke(
  db: Knex,
  integration: { readonly id: number; readonly environmentId: number },
  limit: number,
): Promise<number[]> {
  return db('connection_deletions')
    .join('connections', 'connections.id', 'connection_deletions.connection_id')
    .where({ 'connections.integration_id': integration.id, 'connections.environment_id': integration.environmentId })
    .where('connection_deletions.step', 'revoke')
    .orderBy('connection_deletions.due_at')
    .limit(limit)
    .pluck('connections.id');
}

/** Claims deletions that are due. Each is due again when its claim ends, unless the deletion has finished. */
export async function claimDeletions(db: Knex, room: Room, claimSeconds: number): Promise<DueDeletion[]> {
  const rows = await claimRows<ConnectionDeletionRow>(db, DUE, { room, claimSeconds });
  return rows.map((row) => ({
    connectionId: row.connection_id,
    environmentId: row.environment_id,
    integrationId: row.integration_id,
    step: row.step,
  }));
}

/** @returns milliseconds until the next row is due; undefined if there is none */
export function nextDeletionMs(db: Knex): Promise<number | undefined> {
  return nextDueMs(db, DUE);
}

function inSeconds(db: Knex, seconds: number): Knex.Raw {
  return db.raw(`clock_timestamp() + ? * interval '1 second'`, [seconds]);
}
