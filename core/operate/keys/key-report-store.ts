import type { Knex } from 'knex';
import { SESSION_STANDS } from '../../db/instances.ts';
import type { KeyRing } from '../../kit/key-ring.ts';

interface KeyReportRow {
  readonly instance_id: string;
  readonly key_ids: string[];
  readonly current_key_id: string;
  readonly reported_at: Date;
}

/** Maximum milliseconds between two checks and reports of an instance; after a notice it checks and reports immediately. */
export const REPORT_EVERY_MS = 10_000;
/**
 * Seconds without a report after which an instance is ignored: either it has ended, or it will check its keys before it writes
 * anything.
 */
const SILENT_SECONDS = 35;

/** The keys of a running instance, as it reported them. */
export interface KeyReport {
  readonly instanceId: string;
  readonly keyIds: readonly string[];
  readonly currentKeyId: string;
  /** Milliseconds since the report. */
  readonly ageMs: number;
}

export async function reportKeys(db: Knex, instanceId: string, keys: KeyRing): Promise<void> {
  await db.raw(
    `insert into key_reports (instance_id, key_ids, current_key_id) values (?, ?, ?)
     on conflict (instance_id) do update set (key_ids, current_key_id, reported_at)
       = (excluded.key_ids, excluded.current_key_id, clock_timestamp())`,
    [instanceId, [...keys.keyIds], keys.currentKeyId],
  );
}

/** Deletes the report of an instance that has ended, and reports older than a day, whose instances were killed. */
export async function forgetReport(db: Knex, instanceId: string): Promise<void> {
  await db<KeyReportRow>('key_reports')
    .where({ instance_id: instanceId })
    .orWhereRaw(`reported_at < clock_timestamp() - interval '1 day'`)
    .delete();
}

/** Returns the reports of all instances that are running, or were running 35 seconds ago. */
export async function keyReports(db: Knex): Promise<readonly KeyReport[]> {
  return db<KeyReportRow>('key_reports')
    .whereRaw(`reported_at > clock_timestamp() - ? * interval '1 second'`, [SILENT_SECONDS])
    .orderBy('instance_id')
    .select<KeyReport[]>({ instanceId: 'instance_id', keyIds: 'key_ids', currentKeyId: 'current_key_id' })
    .select(db.raw('extract(epoch from clock_timestamp() - reported_at)::float8 * 1000 as "ageMs"'));
}

/**
 * Returns the instances that are running but have not reported their keys. Those behind a pooler in transaction mode are missing,
 * since they cannot be observed.
 */
export async function silentInstances(db: Knex): Promise<readonly string[]> {
  const { rows }: { rows: { id: string }[] } = await db.raw(
    `select id from instances where exists (${SESSION_STANDS})
       and not exists (select from key_reports where key_reports.instance_id = instances.id) order by id`,
  );
  return rows.map(({ id }) => id);
}
