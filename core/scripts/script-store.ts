import type { Knex } from 'knex';
import { nextId } from '../db/next-id.ts';
import type { StoreDeps } from '../db/store-deps.ts';
import type { Place } from '../kit/key-ring.ts';
import type { Language, ScriptEvent } from './event.ts';
import type { ScriptRow, ScriptVersionRow } from './script-rows.ts';

/** Identifies a script. */
export interface ScriptPlace {
  readonly environmentId: number;
  /** Row ID. */
  readonly integrationId: number;
  readonly event: ScriptEvent;
}

/** The active version of a script. */
export interface ActiveScript {
  readonly scriptId: number;
  readonly version: number;
  /** The JavaScript to run. */
  readonly code: string;
  /** The types of events that trigger a webhook script; `*` means all. */
  readonly webhookSubscriptions: readonly string[];
}

/**
 * Returns the active script of an event, also of a deleted integration, whose deletion scripts are still to run; undefined if
 * there is none.
 *
 * @throws KeyRingError if it cannot be decrypted
 */
export async function activeScript(deps: StoreDeps, place: ScriptPlace): Promise<ActiveScript | undefined> {
  const row: ActiveRow | undefined = await deps
    .db<ScriptRow>('scripts as s')
    .join('script_versions as v', { 'v.script_id': 's.id', 'v.version': 's.active_version' })
    .where(placeOf('s', place))
    .where('s.enabled', true)
    .first('v.id', 'v.environment_id', 'v.script_id', 'v.version', 'v.compiled', 'v.webhook_subscriptions');
  return (
    row && {
      scriptId: row.script_id,
      version: row.version,
      code: deps.keys.decrypt(row.compiled, scriptPlace('compiled', row)),
      webhookSubscriptions: row.webhook_subscriptions,
    }
  );
}

type ActiveRow = Pick<ScriptVersionRow, 'id' | 'environment_id' | 'script_id' | 'version' | 'compiled' | 'webhook_subscriptions'>;

/** Returns whether an event has an active script, without reading it. @param integrationId row ID */
export async function hasActiveScript(db: Knex, integrationId: number, event: ScriptEvent): Promise<boolean> {
  const row = await db<ScriptRow>('scripts')
    .where({ integration_id: integrationId, event, enabled: true })
    .whereNotNull('active_version')
    .first('id');
  return row !== undefined;
}

export interface ScriptState {
  readonly id: number;
  readonly event: ScriptEvent;
  readonly enabled: boolean;
  /** The active version. */
  readonly version: number;
  readonly language: Language;
  readonly webhookSubscriptions: readonly string[];
  /** When the active version was created. */
  readonly createdAt: Date;
}

/** Returns the scripts of an integration with their active versions; with `event`, only the one of that event. */
export async function scriptsOf(
  db: Knex,
  { event, ...where }: Omit<ScriptPlace, 'event'> & { readonly event?: ScriptEvent | undefined },
): Promise<ScriptState[]> {
  const query = db<ScriptRow>('scripts as s')
    .join('script_versions as v', { 'v.script_id': 's.id', 'v.version': 's.active_version' })
    .where({ 's.environment_id': where.environmentId, 's.integration_id': where.integrationId })
    .orderBy('s.event');
  if (event !== undefined) query.where('s.event', event);
  const columns = { webhookSubscriptions: 'v.webhook_subscriptions', createdAt: 'v.created_at' };
  return query.select<ScriptState[]>('s.id', 's.event', 's.enabled', 'v.version', 'v.language', columns);
}

/** Locks the script until the transaction `trx` ends; inserts it without a version if there is none. */
export async function ensureScript(trx: Knex.Transaction, place: ScriptPlace): Promise<Pick<ScriptRow, 'id' | 'active_version'>> {
  const { environmentId: environment_id, integrationId: integration_id, event } = place;
  const [row] = await trx<ScriptRow>('scripts')
    .insert({ environment_id, integration_id, event })
    .onConflict(['integration_id', 'event'])
    .merge(['environment_id']) // the value stays the same; unlike `ignore`, this locks and returns the row
    .returning(['id', 'active_version']);
  if (row === undefined) throw new Error('a script could be neither inserted nor locked');
  return row;
}

type NewestVersion = Pick<ScriptVersionRow, 'version' | 'sha256'>;

/** Returns the last deployed version, whether or not it is active. */
export async function newestVersion(db: Knex, scriptId: number): Promise<NewestVersion | undefined> {
  return db<ScriptVersionRow>('script_versions')
    .where({ script_id: scriptId })
    .orderBy('version', 'desc')
    .first('version', 'sha256');
}

interface NewVersion {
  readonly environmentId: number;
  readonly scriptId: number;
  readonly version: number;
  readonly language: Language;
  readonly source: string;
  readonly compiled: string;
  readonly sha256: Buffer;
  readonly webhookSubscriptions: readonly string[];
}

export async function insertVersion({ db, keys }: StoreDeps, version: NewVersion): Promise<void> {
  const id = await nextId(db, 'script_versions');
  const row = { id, environment_id: version.environmentId };
  await db<ScriptVersionRow>('script_versions').insert({
    ...row,
    script_id: version.scriptId,
    version: version.version,
    language: version.language,
    source: keys.encrypt(version.source, scriptPlace('source', row)),
    compiled: keys.encrypt(version.compiled, scriptPlace('compiled', row)),
    sha256: version.sha256,
    webhook_subscriptions: [...version.webhookSubscriptions],
  });
}

/** @returns false if there is no such version */
export async function activateVersion(db: Knex, scriptId: number, version: number): Promise<boolean> {
  const versions = db<ScriptVersionRow>('script_versions').where({ script_id: scriptId, version }).select('version');
  return (await db<ScriptRow>('scripts').where({ id: scriptId }).whereExists(versions).update({ active_version: version })) > 0;
}

/** Deletes all versions but the newest `keep`, which include the active one. */
export async function trimVersions(db: Knex, scriptId: number, keep: number): Promise<void> {
  const beyond = db<ScriptVersionRow>('script_versions').where({ script_id: scriptId }).orderBy('version', 'desc').offset(keep);
  await db<ScriptVersionRow>('script_versions').whereIn('id', beyond.select('id')).delete();
}

/** Locks the script until the transaction ends. @returns the row ID; undefined if there is no such script */
export async function lockScript(trx: Knex.Transaction, place: ScriptPlace): Promise<number | undefined> {
  const row = await trx<ScriptRow>('scripts')
    .where(placeOf('scripts', place))
    .whereNotNull('active_version')
    .forUpdate()
    .first('id');
  return row?.id;
}

export async function setEnabled(db: Knex, scriptId: number, enabled: boolean): Promise<void> {
  await db<ScriptRow>('scripts').where({ id: scriptId }).update({ enabled });
}

/** Deletes a script with its versions and runs. @returns false if there is no such script */
export async function deleteScript(db: Knex, place: ScriptPlace): Promise<boolean> {
  return (await db<ScriptRow>('scripts').where(placeOf('scripts', place)).delete()) > 0;
}

function placeOf(table: string, { environmentId, integrationId, event }: ScriptPlace): Record<string, unknown> {
  return {
    [`${table}.environment_id`]: environmentId,
    [`${table}.integration_id`]: integrationId,
    [`${table}.event`]: event,
  };
}

export function scriptPlace(column: 'source' | 'compiled', row: Pick<ScriptVersionRow, 'id' | 'environment_id'>): Place {
  return { table: 'script_versions', column, environmentId: row.environment_id, rowId: row.id };
}
