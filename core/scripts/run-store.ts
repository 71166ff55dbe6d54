import type { Knex } from 'knex';
import type { LogLine } from '../../scripts-runtime/script-run.ts';
import type { ScriptRunRow } from '../db/script-rows.ts';
import { storedLog } from './run-log.ts';

/** How a run ended. */
export interface FinishedRun {
  /** UUID. */
  readonly id: string;
  readonly scriptId: number;
  readonly environmentId: number;
  readonly version: number;
  readonly connectionId: string | null;
  readonly status: ScriptRunRow['status'];
  readonly startedAt: Date;
  readonly durationMs: number;
  /** Largest growth of the process's memory. */
  readonly memoryMb: number;
  /** Absent: it did what it should. */
  readonly cause?: string | undefined;
  /** Redacted and cut here. */
  readonly log: readonly LogLine[];
}

/** Writes a run down, unless its script was deleted meanwhile. */
export async function insertRun(db: Knex, run: FinishedRun): Promise<void> {
  await db.raw(
    `insert into script_runs
       (id, environment_id, script_id, version, connection_id, status, cause, started_at, duration_ms, memory_mb, log)
     select :id, environment_id, id, :version, :connectionId, :status, :cause, :startedAt, :durationMs, :memoryMb, :log::jsonb
     from scripts where id = :scriptId and environment_id = :environmentId for key share`,
    {
      id: run.id,
      scriptId: run.scriptId,
      environmentId: run.environmentId,
      version: run.version,
      connectionId: run.connectionId,
      status: run.status,
      cause: run.cause ?? null,
      startedAt: run.startedAt,
      durationMs: Math.round(run.durationMs),
      memoryMb: Math.round(run.memoryMb * 10) / 10,
      log: JSON.stringify(storedLog(run.log)),
    },
  );
}

/** The newest runs of a script, newest first. */
export async function runsOf(
  db: Knex,
  { environmentId, scriptId, limit }: { readonly environmentId: number; readonly scriptId: number; readonly limit: number },
): Promise<ScriptRunRow[]> {
  return db<ScriptRunRow>('script_runs')
    .where({ environment_id: environmentId, script_id: scriptId })
    .orderBy([
      { column: 'started_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(limit)
    .select('*');
}

/** Runs of each script beyond the newest ones. @returns how many were deleted */
export async function deleteRunsBeyond(db: Knex, kept: number, limit: number): Promise<number> {
  const ranked = db<ScriptRunRow>('script_runs').select(
    'id',
    db.raw('row_number() over (partition by script_id order by started_at desc, id desc) as place'),
  );
  const beyond = db.from(ranked.as('ranked')).where('place', '>', kept).limit(limit).select('id');
  return db<ScriptRunRow>('script_runs').whereIn('id', beyond).delete();
}
