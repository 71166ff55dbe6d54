import type { Knex } from 'knex';
import type { Connection } from '../connections/connection.ts';
import type { ConnectionDeletionRow } from '../db/rows.ts';

/** The maximum duration of a deletion by the previous release, which has no row. */
const WITHOUT_ROW_MINUTES = 10;

export type DeletionStep = ConnectionDeletionRow['step'];

/** A deletion whose process ended. */
export interface DueDeletion {
  readonly connectionId: number;
  readonly environmentId: number;
  readonly step: DeletionStep;
}

/** Inserted in the transaction of the mark, claimed by the same process. */
export async function insertDeletion(
  trx: Knex,
  { id, environmentId }: Pick<Connection, 'id' | 'environmentId'>,
  claimSeconds: number,
): Promise<void> {
  await trx<ConnectionDeletionRow>('connection_deletions').insert({
    connection_id: id,
    environment_id: environmentId,
    claimed_until: inSeconds(trx, claimSeconds),
  });
}

export async function writeStep(
  db: Knex,
  { id, environmentId }: Pick<Connection, 'id' | 'environmentId'>,
  step: DeletionStep,
): Promise<void> {
  await db<ConnectionDeletionRow>('connection_deletions')
    .where({ connection_id: id, environment_id: environmentId })
    .update({ step });
}

/** Between attempts at a provider that cannot be asked, and for how long. */
export const REVOCATION = { seconds: 30, withinSeconds: 600 };

/**
 * Lets another attempt to revoke follow.
 *
 * @returns false if the deletion is too old for that
 */
export async function postponeRevocation(
  db: Knex,
  { id, environmentId }: Pick<Connection, 'id' | 'environmentId'>,
): Promise<boolean> {
  const { rowCount }: { rowCount: number } = await db.raw(
    `insert into connection_deletions as row (connection_id, environment_id, step, claimed_until)
     values (?, ?, 'revoke', ?)
     on conflict (connection_id) do update set step = excluded.step, claimed_until = excluded.claimed_until
     where row.created_at > clock_timestamp() - ? * interval '1 second'`,
    [id, environmentId, inSeconds(db, REVOCATION.seconds), REVOCATION.withinSeconds],
  );
  return rowCount === 1;
}

/** Connections of an integration that is marked deleted whose revocation is to be tried again, the longest waiting first. */
export async function idsToRevoke(
  db: Knex,
  integration: { readonly id: number; readonly environmentId: number },
  limit: number,
): Promise<number[]> {
  return db('connection_deletions')
    .join('connections', 'connections.id', 'connection_deletions.connection_id')
    .where({ 'connections.integration_id': integration.id, 'connections.environment_id': integration.environmentId })
    .where('connection_deletions.step', 'revoke')
    .orderBy('connection_deletions.claimed_until')
    .limit(limit)
    .pluck('connections.id');
}

/** Claims the oldest deletion whose claim has expired. */
export async function claimDueDeletion(db: Knex, claimSeconds: number): Promise<DueDeletion | undefined> {
  const due = db<ConnectionDeletionRow>('connection_deletions')
    .whereRaw('claimed_until < clock_timestamp()')
    .orderBy('claimed_until')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .select('connection_id');
  const [row] = await db<ConnectionDeletionRow>('connection_deletions')
    .whereIn('connection_id', due)
    .update({ claimed_until: inSeconds(db, claimSeconds) })
    .returning(['connection_id', 'environment_id', 'step']);
  return row && { connectionId: row.connection_id, environmentId: row.environment_id, step: row.step };
}

/** Inserts rows for deletions that an instance of the previous release began and did not finish. */
export async function adoptDeletions(db: Knex, limit: number): Promise<void> {
  const marked = db('connections')
    .join('integrations', 'integrations.id', 'connections.integration_id')
    .leftJoin('connection_deletions', 'connection_deletions.connection_id', 'connections.id')
    .whereRaw(`connections.deleted_at < now() - ? * interval '1 minute'`, [WITHOUT_ROW_MINUTES])
    .whereNull('integrations.deleted_at')
    .whereNull('connection_deletions.connection_id')
    .limit(limit)
    .select('connections.id', 'connections.environment_id', db.raw('now()'));
  await db.raw('insert into connection_deletions (connection_id, environment_id, claimed_until) ? on conflict do nothing', [
    marked,
  ]);
}

function inSeconds(db: Knex, seconds: number): Knex.Raw {
  return db.raw(`clock_timestamp() + ? * interval '1 second'`, [seconds]);
}
