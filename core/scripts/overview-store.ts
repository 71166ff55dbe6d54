import type { Knex } from 'knex';
import type { KeyRing } from '../kit/key-ring.ts';
import type { Language, ScriptEvent } from './event.ts';
import type { ScriptRow, ScriptVersionRow } from './script-rows.ts';
import { type ActiveScript, type ScriptPlace, scriptPlace } from './script-store.ts';

export interface OverviewScript {
  readonly id: number;
  readonly event: ScriptEvent;
  readonly enabled: boolean;
  /** The active version. */
  readonly version: number;
  /** The key of the integration. */
  readonly uniqueKey: string;
  readonly displayName: string;
  readonly lastRunAt: Date | null;
  readonly failures: number;
}

interface ScriptFilter {
  readonly limit: number;
  /** Row ID: only scripts older than this one are returned. */
  readonly before?: number | undefined;
  /** Failures are counted from this time on. */
  readonly since: Date;
}

const LAST_RUN = '(select max(r.started_at) from script_runs r where r.script_id = s.id and r.environment_id = s.environment_id)';
const FAILURES = `(select count(*)::int from script_runs r where r.script_id = s.id and r.environment_id = s.environment_id
  and r.started_at >= ? and r.status <> 'done' and r.cause is distinct from 'refused')`;

/** Counts the queued runs of an environment that are due and that no worker has claimed; at most `limit`. */
export async function dueRunsOf(db: Knex, environmentId: number, limit: number): Promise<number> {
  const due = db('script_queue')
    .where({ environment_id: environmentId })
    .whereRaw('due_at <= now() and (claimed_until > now()) is not true')
    .limit(limit)
    .select('id');
  const row = await db.from(due.as('due')).first<{ count: number }>(db.raw('count(*)::int as count'));
  return row.count;
}

/** Returns the scripts of an environment, newest first, without those of deleted integrations. */
export function scriptPage(db: Knex, environmentId: number, { limit, before, since }: ScriptFilter): Promise<OverviewScript[]> {
  const query = db<ScriptRow>('scripts as s')
    .join('integrations as i', { 'i.id': 's.integration_id', 'i.environment_id': 's.environment_id' })
    .where({ 's.environment_id': environmentId })
    .whereNotNull('s.active_version')
    .whereNull('i.deleted_at')
    .orderBy('s.id', 'desc')
    .limit(limit);
  if (before !== undefined) query.where('s.id', '<', before);
  const named = { version: 's.active_version', uniqueKey: 'i.unique_key', displayName: 'i.display_name' };
  const counted = [db.raw(`${LAST_RUN} as "lastRunAt"`), db.raw(`${FAILURES} as failures`, [since])];
  return query.select<OverviewScript[]>('s.id', 's.event', 's.enabled', named, ...counted);
}

export interface VersionFacts {
  readonly version: number;
  readonly language: Language;
  readonly createdAt: Date;
}

/** Returns the versions of a script, newest first; each deployment deletes all but the newest 100. */
export function versionsOf(db: Knex, place: ScriptPlace): Promise<VersionFacts[]> {
  return versions(db, place)
    .orderBy('v.version', 'desc')
    .select<VersionFacts[]>('v.version', 'v.language', { createdAt: 'v.created_at' });
}

/** Returns a version as its author wrote it; undefined if there is none. @throws KeyRingError if it cannot be decrypted */
export async function sourceOf(
  { db, keys }: { readonly db: Knex; readonly keys: KeyRing },
  place: ScriptPlace,
  version: number,
): Promise<(VersionFacts & { readonly source: string }) | undefined> {
  const row = await versions(db, place)
    .where('v.version', version)
    .first<ScriptVersionRow | undefined>('v.id', 'v.environment_id', 'v.version', 'v.language', 'v.created_at', 'v.source');
  if (row === undefined) return undefined;
  const source = keys.decrypt(row.source, scriptPlace('source', row));
  return { version: row.version, language: row.language, createdAt: row.created_at, source };
}

/** Returns a version as it runs; undefined if there is none. @throws KeyRingError if it cannot be decrypted */
export async function compiledOf(
  { db, keys }: { readonly db: Knex; readonly keys: KeyRing },
  place: ScriptPlace,
  version: number,
): Promise<ActiveScript | undefined> {
  const columns = ['v.id', 'v.environment_id', 'v.script_id', 'v.version', 'v.compiled', 'v.webhook_subscriptions'] as const;
  const row = await versions(db, place)
    .where('v.version', version)
    .first<ScriptVersionRow | undefined>(...columns);
  if (row === undefined) return undefined;
  const code = keys.decrypt(row.compiled, scriptPlace('compiled', row));
  return { scriptId: row.script_id, version: row.version, code, webhookSubscriptions: row.webhook_subscriptions };
}

function versions(db: Knex, { environmentId, integrationId, event }: ScriptPlace) {
  return db('script_versions as v')
    .join('scripts as s', { 's.id': 'v.script_id', 's.environment_id': 'v.environment_id' })
    .where({ 's.environment_id': environmentId, 's.integration_id': integrationId, 's.event': event });
}
