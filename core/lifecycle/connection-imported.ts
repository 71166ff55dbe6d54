import type { Knex } from 'knex';
import type { JsonObject } from '#contract';
import type { Activity, Operation } from '../activity/activity.ts';
import type { StoredCredentials } from '../auth-modes/auth-mode.ts';
import { changeOf, type Said } from '../connections/change-connection.ts';
import type { Connection } from '../connections/connection.ts';
import { connectionById, lockConnection } from '../connections/connection-store.ts';
import type { Notices } from '../db/notices.ts';
import { withTransaction } from '../db/transaction.ts';
import { ServiceError } from '../errors.ts';
import { type CreationDeps, type InTransaction, writeCreation } from './connection-created.ts';
import { writeReauthorization } from './connection-reauthorized.ts';
import { holdIntegration } from './hold-integration.ts';

/** Each round is lost only to somebody who deletes what somebody else has just made. */
const MAX_ROUNDS = 5;

export interface ImportWriteDeps extends CreationDeps {
  readonly notices: Notices;
  readonly activity: Activity;
}

type Identity = Pick<Connection, 'environmentId' | 'integrationId' | 'providerConfigKey' | 'provider' | 'connectionId'>;

export type WrittenAlongside = (trx: Knex, connection: Connection) => Promise<void>;

/** What the log entry of an import says of what came before it was begun. */
export type ImportNotes = readonly Parameters<Operation['note']>[];

/** What an import has to write, after everything that could refuse it. */
export interface ReadyImport extends Identity {
  readonly credentials: StoredCredentials;
  /** What this import brings, of an existing connection's configuration nothing. */
  readonly connectionConfig: JsonObject;
  readonly secretConfig: JsonObject;
  readonly metadata: JsonObject | undefined;
  readonly notify: boolean;
  readonly said: Said;
  readonly notes: ImportNotes;
  readonly alongside?: WrittenAlongside | undefined;
}

/**
 * Creates the connection, or gives an existing one of that ID new credentials and whatever else was brought; what was not
 * stays.
 *
 * @throws ServiceError `unknown_provider_config` when the integration was deleted meanwhile, `invalid_body` (too many tags)
 */
export function connectionImported(deps: ImportWriteDeps, ready: ReadyImport): Promise<Connection> {
  return withTransaction(deps.db, async (trx) => {
    const inside = { ...deps, db: trx };
    await holdIntegration(trx, ready);
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const id = (await create(inside, ready)) ?? (await override(inside, ready));
      const connection = id === undefined ? undefined : await connectionById(inside, ready.environmentId, id);
      if (connection === undefined) continue;
      await ready.alongside?.(trx, connection);
      return connection;
    }
    throw new ServiceError('storage_unavailable', 'others are writing this connection; try again', { retryAfterSeconds: 1 });
  });
}

/** @returns undefined when there is a connection of that ID */
function create(deps: InTransaction<ImportWriteDeps>, ready: ReadyImport): Promise<number | undefined> {
  const { said, notes: _notes, alongside: _alongside, metadata = {}, notify, ...row } = ready;
  const { tags = {}, endUser = null, webhookUrlOverride = null } = changeOf(said);
  const operation = beginImport(deps, ready, 'creation');
  return writeCreation(deps, { ...row, metadata, tags, endUser, webhookUrlOverride }, { operation, notify });
}

/** @returns undefined when there is no connection of that ID any more */
async function override(deps: InTransaction<ImportWriteDeps>, ready: ReadyImport): Promise<number | undefined> {
  const known = await lockConnection(deps, ready);
  if (known === undefined) return undefined;
  const { said, metadata, credentials, connectionConfig, secretConfig, notify } = ready;
  const operation = beginImport(deps, ready, 'override');
  const change = { ...changeOf(said, known), ...(metadata !== undefined && { metadata }) };
  await writeReauthorization(deps, known, { credentials, connectionConfig, secretConfig, change, operation, notify });
  return known.id;
}

type ImportIdentity = Omit<Identity, 'integrationId' | 'provider'> & Pick<ReadyImport, 'notes'>;

/** The log entry of an import. */
export function beginImport(
  { activity }: Pick<ImportWriteDeps, 'activity'>,
  { environmentId, connectionId, providerConfigKey, notes }: ImportIdentity,
  kind: 'creation' | 'override',
): Operation {
  const operation = activity.begin({ type: 'auth', operation: kind, environmentId, connectionId, providerConfigKey });
  for (const note of notes) operation.note(...note);
  return operation;
}
