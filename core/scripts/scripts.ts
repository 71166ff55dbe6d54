import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { idByKey, lockIntegration } from '../connections/integrations/integration-store.ts';
import { unknownIntegration } from '../connections/integrations/integrations.ts';
import type { StoreDeps } from '../db/store-deps.ts';
import { withTransaction } from '../db/transaction.ts';
import { ServiceError } from '../errors.ts';
import type { AuditContext } from '../journal/audit-trail/entry.ts';
import { recordAudit } from '../journal/audit-trail/record.ts';
import type { Activity } from '../journal/operation-log/activity.ts';
import type { ScriptSource } from './compile.ts';
import type { Compiler } from './compiler.ts';
import type { ScriptEvent } from './event.ts';
import { runsOf } from './run-store.ts';
import type { ScriptRunRow } from './script-rows.ts';
import {
  activateVersion,
  deleteScript,
  ensureScript,
  insertVersion,
  lockScript,
  newestVersion,
  type ScriptPlace,
  type ScriptState,
  scriptsOf,
  setEnabled,
  trimVersions,
} from './script-store.ts';

/** Number of versions of a script that are kept for rollbacks. */
const KEPT_VERSIONS = 100;
/** Maximum number of runs that the API returns. */
const SHOWN_RUNS = 100;

/** The integration of a script, as callers identify it. */
export interface IntegrationAddress {
  readonly environmentId: number;
  readonly uniqueKey: string;
}

interface RunFilter {
  readonly event: ScriptEvent;
  /** Undefined selects the runs for all connections. */
  readonly connectionId?: string | undefined;
}

export interface DeployDeps extends StoreDeps {
  readonly compiler: Pick<Compiler, 'compile'>;
  readonly activity: Activity;
}

/**
 * Deploys a source as the active version of its script. If it equals the last deployed source, that version becomes active again.
 * A disabled script stays disabled.
 *
 * @param address `audit` says whom the audit trail names; absent when a script of the operator's folders is deployed
 * @throws ServiceError `unknown_provider_config` (no such integration), `invalid_body` (it does not compile)
 */
export async function deployScript(
  deps: DeployDeps,
  { audit, ...address }: IntegrationAddress & { readonly audit?: AuditContext | undefined },
  source: ScriptSource,
): Promise<ScriptState> {
  const place = await placeOf(deps.db, address, source.event);
  const sha256 = digest(source);
  const { code, webhookSubscriptions } = await deps.compiler.compile(source, place.environmentId);
  return withTransaction(deps.db, async (trx) => {
    if (!(await lockIntegration(trx, place.environmentId, place.integrationId))) throw unknownIntegration(address.uniqueKey);
    const { id: scriptId } = await ensureScript(trx, place);
    const newest = await newestVersion(trx, scriptId);
    const isUnchanged = newest?.sha256.equals(sha256) === true;
    const version = isUnchanged ? newest.version : (newest?.version ?? 0) + 1;
    if (!isUnchanged) {
      const { environmentId } = place;
      const { language, source: text } = source;
      const row = { environmentId, scriptId, version, language, source: text, compiled: code, sha256, webhookSubscriptions };
      await insertVersion({ ...deps, db: trx }, row);
    }
    await activateVersion(trx, scriptId, version);
    await trimVersions(trx, scriptId, KEPT_VERSIONS);
    const state = await stateOf(trx, place);
    if (audit !== undefined) await recordDeployment({ ...deps, db: trx }, audit, { address, state });
    return state;
  });
}

function recordDeployment(
  deps: StoreDeps & { readonly activity: Activity },
  audit: AuditContext,
  { address, state }: { readonly address: IntegrationAddress; readonly state: ScriptState },
): Promise<void> {
  const facts = { integration: address.uniqueKey, version: state.version };
  return recordAudit(deps, { ...audit, action: 'script.deploy', subject: { type: 'script', id: state.event }, facts });
}

/** Returns whether a source is the last deployed one, active or not. */
export async function isDeployed(db: Knex, place: ScriptPlace, source: ScriptSource): Promise<boolean> {
  const [script] = await scriptsOf(db, place);
  const newest = script && (await newestVersion(db, script.id));
  return newest?.sha256.equals(digest(source)) === true;
}

/** @throws ServiceError `unknown_provider_config` if there is no such integration */
export async function listScripts(db: Knex, { environmentId, uniqueKey }: IntegrationAddress): Promise<ScriptState[]> {
  return scriptsOf(db, { environmentId, integrationId: await integrationId(db, { environmentId, uniqueKey }) });
}

interface ScriptChanges {
  readonly enabled?: boolean | undefined;
  /** The version to activate. */
  readonly version?: number | undefined;
}

/**
 * @throws ServiceError `unknown_provider_config` (no such integration), `not_found` (it has no such script), `invalid_body` (no
 *   such version)
 */
export async function changeScript(
  deps: { readonly db: Knex },
  { event, ...address }: IntegrationAddress & { readonly event: ScriptEvent },
  { enabled, version }: ScriptChanges,
): Promise<ScriptState> {
  return withTransaction(deps.db, async (trx) => {
    const place = await placeOf(trx, address, event);
    const scriptId = await lockScript(trx, place);
    if (scriptId === undefined) throw unknownScript(event);
    if (version !== undefined && !(await activateVersion(trx, scriptId, version))) throw unknownVersion(version);
    if (enabled !== undefined) await setEnabled(trx, scriptId, enabled);
    return stateOf(trx, place);
  });
}

/**
 * Deletes a script with its versions and runs.
 *
 * @throws ServiceError `unknown_provider_config` (no such integration), `not_found` (it has no such script)
 */
export async function removeScript(db: Knex, address: IntegrationAddress, event: ScriptEvent): Promise<void> {
  if (!(await deleteScript(db, await placeOf(db, address, event)))) throw unknownScript(event);
}

/**
 * Returns the latest 100 runs of a script, newest first.
 *
 * @throws ServiceError `unknown_provider_config` (no such integration), `not_found` (it has no such script)
 */
export async function listRuns(
  db: Knex,
  address: IntegrationAddress,
  { event, connectionId }: RunFilter,
): Promise<ScriptRunRow[]> {
  const { environmentId } = address;
  const { id: scriptId } = await stateOf(db, await placeOf(db, address, event));
  return runsOf(db, { environmentId, scriptId, connectionId, limit: SHOWN_RUNS });
}

/**
 * Returns where an existing script is stored.
 *
 * @throws ServiceError `unknown_provider_config` (no such integration), `not_found` (it has no such script)
 */
export async function requireScriptPlace(
  db: Knex,
  { event, ...address }: IntegrationAddress & { readonly event: ScriptEvent },
): Promise<ScriptPlace> {
  const place = await placeOf(db, address, event);
  await stateOf(db, place);
  return place;
}

async function stateOf(db: Knex, place: ScriptPlace): Promise<ScriptState> {
  const [state] = await scriptsOf(db, place);
  if (state === undefined) throw unknownScript(place.event);
  return state;
}

async function placeOf(db: Knex, { environmentId, uniqueKey }: IntegrationAddress, event: ScriptEvent): Promise<ScriptPlace> {
  return { environmentId, integrationId: await integrationId(db, { environmentId, uniqueKey }), event };
}

async function integrationId(db: Knex, { environmentId, uniqueKey }: IntegrationAddress): Promise<number> {
  const id = await idByKey(db, environmentId, uniqueKey);
  if (id === undefined) throw unknownIntegration(uniqueKey);
  return id;
}

function digest({ language, source }: ScriptSource): Buffer {
  return createHash('sha256').update(`${language}\0${source}`).digest();
}

function unknownScript(event: ScriptEvent): ServiceError {
  return new ServiceError('not_found', `this integration has no ${event} script`);
}

function unknownVersion(version: number): ServiceError {
  const message = `there is no version ${version} of this script; each deployment creates one, and ${KEPT_VERSIONS} are kept`;
  return new ServiceError('invalid_body', message, { details: [{ code: 'invalid_value', message, path: ['version'] }] });
}
