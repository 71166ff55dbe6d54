import type { Knex } from 'knex';
import { claimRows, type DueTable, dueIn, nextDueMs } from '../db/claim-due-rows.ts';
import type { Room } from '../db/due-worker.ts';

/** Seconds for which a schedule is claimed: longer than any scheduled work takes. */
const CLAIM_SECONDS = 600;
const DUE: DueTable = { table: 'schedules', key: 'name', group: 'name' };

export interface DueSchedule {
  readonly name: string;
}

/** Inserts the schedules that have no row yet; they are due immediately. */
export async function insertSchedules(db: Knex, names: readonly string[]): Promise<void> {
  const rows = names.map((name) => ({ name }));
  await db('schedules').insert(rows).onConflict('name').ignore();
}

/** Makes schedules due now. */
export async function makeSchedulesDue(db: Knex, names: readonly string[]): Promise<void> {
  await db('schedules')
    .whereIn('name', [...names])
    .update({ due_at: dueIn(db, 0) });
}

/** Claims schedules that are due. If the process ends before the work is done, they are due again after ten minutes. */
export function claimSchedules(db: Knex, room: Room): Promise<DueSchedule[]> {
  return claimRows<DueSchedule>(db, DUE, { room, claimSeconds: CLAIM_SECONDS });
}

export async function writeNextRun(db: Knex, name: string, inSeconds: number): Promise<void> {
  await db('schedules')
    .where({ name })
    .update({ due_at: dueIn(db, inSeconds) });
}

/** @returns milliseconds until the next schedule falls due; undefined if none does */
export function nextScheduleMs(db: Knex): Promise<number | undefined> {
  return nextDueMs(db, DUE);
}
