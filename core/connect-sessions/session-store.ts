import type { Knex } from 'knex';
import type { JsonObject } from '#contract';
import { nextId } from '../db/next-id.ts';
import type { ConnectSessionRow } from '../db/rows.ts';
import type { KeyRing, Place } from '../kit/key-ring.ts';
import type { ConnectSession } from './session.ts';

export interface SessionStoreDeps {
  readonly db: Knex;
  readonly keys: KeyRing;
}

export async function insertSession(
  deps: SessionStoreDeps,
  session: Omit<ConnectSession, 'id'> & { readonly tokenHash: Buffer },
): Promise<void> {
  const id = await nextId(deps.db, 'connect_sessions');
  await deps.db<ConnectSessionRow>('connect_sessions').insert({
    id,
    environment_id: session.environmentId,
    token_hash: session.tokenHash,
    tags: session.tags,
    allowed_integrations: session.allowedIntegrations && [...session.allowedIntegrations],
    defaults: deps.keys.encrypt(JSON.stringify(session.defaults), place(session.environmentId, id)),
    reconnect_id: session.reconnectId,
    expires_at: session.expiresAt,
  });
}

/** The session of a token, unless it has ended or expired. */
export async function liveSessionByHash(
  deps: SessionStoreDeps,
  tokenHash: Buffer,
  now: Date,
): Promise<ConnectSession | undefined> {
  const row = await deps
    .db<ConnectSessionRow>('connect_sessions')
    .where({ token_hash: tokenHash })
    .whereNull('ended_at')
    .where('expires_at', '>', now)
    .first();
  return row && fromRow(deps.keys, row);
}

/** The session of a flow. It may have expired meanwhile, but not have ended. */
export async function openSessionById(
  deps: SessionStoreDeps,
  environmentId: number,
  id: number,
): Promise<ConnectSession | undefined> {
  const row = await deps
    .db<ConnectSessionRow>('connect_sessions')
    .where({ environment_id: environmentId, id })
    .whereNull('ended_at')
    .first();
  return row && fromRow(deps.keys, row);
}

/** @returns false when it had ended already: somebody else was first */
export async function endSession(db: Knex, session: Pick<ConnectSession, 'id' | 'environmentId'>): Promise<boolean> {
  const changed = await db<ConnectSessionRow>('connect_sessions')
    .where({ id: session.id, environment_id: session.environmentId })
    .whereNull('ended_at')
    .update({ ended_at: db.fn.now() });
  return changed === 1;
}

/** Their flows go with them. @returns how many were removed, at most `limit` */
export async function deleteSessionsBefore(db: Knex, before: Date, limit: number): Promise<number> {
  const old = db('connect_sessions').where('expires_at', '<', before).orderBy('expires_at').limit(limit).select('id');
  return db('connect_sessions').whereIn('id', old).delete();
}

function place(environmentId: number, rowId: number): Place {
  return { table: 'connect_sessions', column: 'defaults', environmentId, rowId };
}

function fromRow(keys: KeyRing, row: ConnectSessionRow): ConnectSession {
  return {
    id: row.id,
    environmentId: row.environment_id,
    tags: row.tags,
    allowedIntegrations: row.allowed_integrations,
    defaults:
      row.defaults === null
        ? {}
        : (JSON.parse(keys.decrypt(row.defaults, place(row.environment_id, row.id))) as Record<string, JsonObject>),
    reconnectId: row.reconnect_id,
    expiresAt: row.expires_at,
  };
}
