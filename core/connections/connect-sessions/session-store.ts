import type { Knex } from 'knex';
import type { JsonObject } from '#contract';
import { nextId } from '../../db/next-id.ts';
import type { StoreDeps } from '../../db/store-deps.ts';
import { parseJson } from '../../kit/exact-json.ts';
import type { KeyRing, Place } from '../../kit/key-ring.ts';
import type { EnvironmentRow } from '../../tenants/environments/environment-row.ts';
import type { EndUser } from '../connection.ts';
import { type ConnectSession, REPLACEABLE, type UiOverride } from './session.ts';

export interface ConnectSessionRow {
  readonly id: number;
  readonly environment_id: number;
  readonly token_hash: Buffer;
  readonly tags: Readonly<Record<string, string>>;
  readonly allowed_integrations: string[] | null;
  readonly allow_account_change: boolean;
  readonly defaults: Buffer;
  readonly end_user: JsonObject | null;
  readonly webhook_url_override: string | null;
  readonly reconnect_id: number | null;
  /** Deprecated: the ID that a caller with the public key chose for its connection. */
  readonly connection_id: string | null;
  readonly authorization_presets: Buffer;
  readonly overrides: JsonObject;
  readonly replaces: string[];
  readonly return_url: string | null;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly ended_at: Date | null;
}

/** Inserts a session. @returns the new row's ID */
export async function insertSession(
  deps: StoreDeps,
  session: Omit<ConnectSession, 'id'> & { readonly tokenHash: Buffer },
): Promise<number> {
  const id = await nextId(deps.db, 'connect_sessions');
  const row = { environmentId: session.environmentId, id };
  await deps.db<ConnectSessionRow>('connect_sessions').insert({
    id,
    environment_id: session.environmentId,
    token_hash: session.tokenHash,
    tags: session.tags,
    end_user: session.endUser,
    webhook_url_override: session.webhookUrlOverride,
    replaces: [...session.replaces],
    allowed_integrations: session.allowedIntegrations && [...session.allowedIntegrations],
    defaults: sealed(deps.keys, session.defaults, sessionPlace('defaults', row)),
    authorization_presets: sealed(deps.keys, session.authorizationPresets, sessionPlace('authorization_presets', row)),
    overrides: deps.db.raw('?::jsonb', [JSON.stringify(session.overrides)]),
    reconnect_id: session.reconnectId,
    allow_account_change: session.allowAccountChange,
    connection_id: session.connectionId,
    return_url: session.returnUrl,
    expires_at: session.expiresAt,
  });
  return id;
}

interface FoundSession {
  readonly session: ConnectSession;
  readonly hasEnded: boolean;
  /** Whether it ended because a connection was created or reauthorized with it. */
  readonly isUsed: boolean;
  /** The allowed origins of the session's environment; empty: any. */
  readonly allowedOrigins: readonly string[];
}

/** Reads the session that a token belongs to, and whether it has ended. */
export async function sessionByHash(deps: StoreDeps, tokenHash: Buffer): Promise<FoundSession | undefined> {
  const ofEnvironment = deps.db('environments').where('environments.id', deps.db.ref('environment_id'));
  const row: (ConnectSessionRow & Pick<EnvironmentRow, 'allowed_origins'>) | undefined = await known(deps.db)
    .where({ token_hash: tokenHash })
    .select(ofEnvironment.select('allowed_origins').as('allowed_origins'))
    .first();
  if (row === undefined) return undefined;
  const allowedOrigins = row.allowed_origins ?? [];
  return { session: fromRow(deps.keys, row), hasEnded: row.ended_at !== null, isUsed: isUsed(row), allowedOrigins };
}

/**
 * Why a session is no longer valid: `used` when a connection was created or reauthorized with it; `expired` when its time is over,
 * or when the session was deleted.
 */
export type SessionEnd = 'used' | 'expired';

/** Returns why a session ended that has ended. */
export async function sessionEnd(
  db: Knex,
  { id, environmentId }: Pick<ConnectSession, 'id' | 'environmentId'>,
): Promise<SessionEnd> {
  const row = await db<ConnectSessionRow>('connect_sessions')
    .where({ id, environment_id: environmentId })
    .first('ended_at', 'expires_at');
  return row !== undefined && isUsed(row) ? 'used' : 'expired';
}

/** Returns whether the session ended with a connection. One that was deleted expired at the moment of its end. */
function isUsed({ ended_at: endedAt, expires_at: expiresAt }: Pick<ConnectSessionRow, 'ended_at' | 'expires_at'>): boolean {
  return endedAt !== null && endedAt.getTime() !== expiresAt.getTime();
}

/**
 * Reads the session of a flow. It may have expired since the flow began.
 *
 * @returns undefined if it has ended or no longer exists
 */
export async function openSessionById(deps: StoreDeps, environmentId: number, id: number): Promise<ConnectSession | undefined> {
  const row = await open(deps.db).where({ environment_id: environmentId, id }).first();
  return row && fromRow(deps.keys, row);
}

/** Ends a session. @returns false if it had already ended */
export async function endSession(db: Knex, session: Pick<ConnectSession, 'id' | 'environmentId'>): Promise<boolean> {
  return (await unended(db, session).update({ ended_at: db.fn.now() })) === 1;
}

/** Ends a session that connected nothing: it expires now. @returns false if it had already ended */
export async function withdrawSession(db: Knex, session: Pick<ConnectSession, 'id' | 'environmentId'>): Promise<boolean> {
  return (await unended(db, session).update({ ended_at: db.fn.now(), expires_at: db.fn.now() })) === 1;
}

/**
 * Locks a session until the transaction ends: until then nobody else can begin a flow with it, or end it.
 *
 * @returns false if it had already ended
 */
export async function lockSession(trx: Knex, session: Pick<ConnectSession, 'id' | 'environmentId'>): Promise<boolean> {
  const row = await unended(trx, session).forUpdate().first('id');
  return row !== undefined;
}

/** Deletes sessions of an environment and their flows. @returns how many sessions were removed, at most `limit` */
export async function deleteSessionsOf(db: Knex, environmentId: number, limit: number): Promise<number> {
  const some = db('connect_sessions').where({ environment_id: environmentId }).limit(limit).select('id');
  return db('connect_sessions').whereIn('id', some).delete();
}

function unended(
  db: Knex,
  { id, environmentId }: Pick<ConnectSession, 'id' | 'environmentId'>,
): Knex.QueryBuilder<ConnectSessionRow, ConnectSessionRow[]> {
  return db<ConnectSessionRow>('connect_sessions')
    .where({ id, environment_id: environmentId })
    .whereNull('ended_at')
    .select('id');
}

function open(db: Knex): Knex.QueryBuilder<ConnectSessionRow, ConnectSessionRow[]> {
  return known(db).whereNull('ended_at');
}

function known(db: Knex): Knex.QueryBuilder<ConnectSessionRow, ConnectSessionRow[]> {
  return db<ConnectSessionRow>('connect_sessions')
    .whereRaw('exists (select from environments where environments.id = environment_id and environments.deleted_at is null)')
    .select('*');
}

export function sessionPlace(
  column: 'defaults' | 'authorization_presets',
  { environmentId, id }: Pick<ConnectSession, 'environmentId' | 'id'>,
): Place {
  return { table: 'connect_sessions', column, environmentId, rowId: id };
}

function sealed(keys: KeyRing, members: Readonly<Record<string, unknown>>, where: Place): Buffer {
  return keys.encrypt(JSON.stringify(members), where);
}

function opened<T>(keys: KeyRing, envelope: Buffer, where: Place): Readonly<Record<string, T>> {
  return parseJson(keys.decrypt(envelope, where)) as Record<string, T>;
}

function fromRow(keys: KeyRing, row: ConnectSessionRow): ConnectSession {
  const where = { environmentId: row.environment_id, id: row.id };
  return {
    ...where,
    tags: row.tags,
    endUser: row.end_user as EndUser | null,
    webhookUrlOverride: row.webhook_url_override,
    replaces: REPLACEABLE.filter((member) => row.replaces.includes(member)),
    allowedIntegrations: row.allowed_integrations,
    defaults: opened(keys, row.defaults, sessionPlace('defaults', where)),
    authorizationPresets: opened(keys, row.authorization_presets, sessionPlace('authorization_presets', where)),
    overrides: row.overrides as Readonly<Record<string, UiOverride>>,
    reconnectId: row.reconnect_id,
    allowAccountChange: row.allow_account_change,
    connectionId: row.connection_id,
    returnUrl: row.return_url,
    expiresAt: row.expires_at,
  };
}
