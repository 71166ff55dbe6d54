import type { Knex } from 'knex';
import { claimRows, type DueTable, dueIn, nextDueMs } from '../../db/claim-due-rows.ts';
import type { Room } from '../../db/due-worker.ts';
import type { Erasure } from './erase-marked.ts';

/** How long a claim lasts, in seconds: longer than a slice takes. */
const CLAIM_SECONDS = 300;
const TABLE = 'erasures';
const DUE: DueTable = { table: TABLE, key: 'id', group: 'environment_id::text' };

interface ErasureRow {
  readonly id: number;
  readonly environment_id: number;
  readonly integration_id: number | null;
}

export interface DueErasure extends Erasure {
  /** The ID of the erasure's row, which is deleted together with the integration or environment. */
  readonly id: number;
}

export async function insertErasure(trx: Knex, { environmentId, integrationId }: Erasure): Promise<void> {
  await trx(TABLE).insert({ environment_id: environmentId, integration_id: integrationId ?? null });
}

/** Claims erasures that are due. Each is due again after five minutes if its process ends. */
export async function claimErasures(db: Knex, room: Room): Promise<DueErasure[]> {
  const rows = await claimRows<ErasureRow>(db, DUE, { room, claimSeconds: CLAIM_SECONDS });
  return rows.map((row) => ({
    id: row.id,
    environmentId: row.environment_id,
    integrationId: row.integration_id ?? undefined,
  }));
}

/** Schedules the next slice. @param inSeconds when the erasure continues; undefined: it has finished */
export async function writeNextErasure(
  db: Knex,
  { id, environmentId }: DueErasure,
  inSeconds: number | undefined,
): Promise<void> {
  const row = db(TABLE).where({ id, environment_id: environmentId });
  if (inSeconds === undefined) await row.delete();
  else await row.update({ due_at: dueIn(db, inSeconds) });
}

/** @returns milliseconds until the next row is due; undefined if there is none */
export function nextErasureMs(db: Knex): Promise<number | undefined> {
  return nextDueMs(db, DUE);
}
