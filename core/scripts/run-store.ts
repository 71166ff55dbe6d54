import type { Knex } from 'knex';
import type { LogLine, ScriptOutcome } from '../../scripts-runtime/script-run.ts';
import { redact, safeText } from '../kit/redact.ts';
import type { ScriptRunRow } from './script-rows.ts';

/** Maximum size of the whole log of a run, as JSON: a script that logs much must not fill the database. */
const MAX_CHARACTERS = 64 * 1024;

/** A run that has ended; its log is redacted and truncated when it is stored. */
export interface FinishedRun extends Pick<ScriptOutcome, 'status' | 'durationMs' | 'memoryMb' | 'log'> {
  /** The UUID of the run, which is also the ID of its operation in the log. */
  readonly id: string;
  readonly scriptId: number;
  readonly environmentId: number;
  readonly version: number;
  readonly connectionId: string | null;
  readonly startedAt: Date;
  readonly cause?: string | undefined;
}

/** Stores a run, unless its script has been deleted. */
export async function insertRun(db: Knex, run: FinishedRun): Promise<void> {
  await db.raw(
    `insert into script_runs
       (id, environment_id, script_id, version, connection_id, status, cause, started_at, duration_ms, memory_mb, log)
     select :id, environment_id, id, :version, :connectionId, :status, :cause, :startedAt, :durationMs, :memoryMb, :log::jsonb
     from scripts where id = :scriptId and environment_id = :environmentId for key share`,
    {
      ...run,
      cause: run.cause ?? null,
      durationMs: Math.round(run.durationMs),
      memoryMb: Math.round(run.memoryMb * 10) / 10,
      log: JSON.stringify(storedLog(run.log)),
    },
  );
}

interface WantedRuns {
  readonly environmentId: number;
  readonly scriptId: number;
  /** Undefined selects the runs of all connections. */
  readonly connectionId?: string | undefined;
  readonly limit: number;
}

/** Returns the latest runs of a script, newest first. */
export async function runsOf(db: Knex, { environmentId, scriptId, connectionId, limit }: WantedRuns): Promise<ScriptRunRow[]> {
  return db<ScriptRunRow>('script_runs')
    .where({
      environment_id: environmentId,
      script_id: scriptId,
      ...(connectionId !== undefined && { connection_id: connectionId }),
    })
    .orderBy([
      { column: 'started_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(limit)
    .select('*');
}

/** Deletes the oldest runs of a script beyond those that are kept. @returns how many were deleted, at most `limit` */
export async function deleteRunsBeyond(
  db: Knex,
  { scriptId, kept, limit }: { readonly scriptId: number; readonly kept: number; readonly limit: number },
): Promise<number> {
  const { rowCount }: { rowCount: number } = await db.raw(
    `delete from script_runs where id in (
       select id from script_runs
       where script_id = :scriptId and (started_at, id) <= (
         select started_at, id from script_runs where script_id = :scriptId
         order by started_at desc, id desc offset :kept limit 1)
       order by started_at, id limit :limit)`,
    { scriptId, kept, limit },
  );
  return rowCount;
}

/**
 * Returns the lines, up to 64 KiB, without facts that are named like secrets; an additional last line counts the dropped lines.
 */
function storedLog(lines: readonly LogLine[]): readonly LogLine[] {
  const kept: LogLine[] = [];
  let left = MAX_CHARACTERS;
  for (const { at, level, message, facts } of lines) {
    // The facts are wrapped in an object, since they may be anything, and only the properties of objects are redacted.
    const line = { at, level, message: safeText(message), ...(facts !== undefined && redact({ facts })) };
    left -= JSON.stringify(line).length;
    if (left < 0) break;
    kept.push(line);
  }
  const missing = lines.length - kept.length;
  if (missing === 0) return kept;
  return [...kept, { at: lines.at(-1)?.at ?? 0, level: 'warn', message: `${missing} more lines were not kept` }];
}
