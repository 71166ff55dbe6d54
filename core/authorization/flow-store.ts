import type { Knex } from 'knex';
import type { JsonObject } from '#contract';
import { nextId } from '../db/next-id.ts';
import type { AuthorizationFlowRow } from '../db/rows.ts';
import type { KeyRing, Place } from '../kit/key-ring.ts';

export interface FlowStoreDeps {
  readonly db: Knex;
  readonly keys: KeyRing;
}

/** An authorization that waits for its user to come back. State and browser ID are kept as hashes, the rest encrypted. */
export interface Flow {
  readonly environmentId: number;
  readonly sessionId: number;
  readonly integrationId: number;
  readonly connectionConfig: JsonObject;
  /** What the auth mode needs again: redirect URI, PKCE verifier and their like. */
  readonly modeSecrets: JsonObject;
}

export interface NewFlow extends Flow {
  readonly stateHash: Buffer;
  readonly browserHash: Buffer;
  readonly expiresAt: Date;
}

export async function insertFlow(deps: FlowStoreDeps, flow: NewFlow): Promise<void> {
  const id = await nextId(deps.db, 'authorization_flows');
  const secrets = JSON.stringify({ connectionConfig: flow.connectionConfig, modeSecrets: flow.modeSecrets });
  await deps.db<AuthorizationFlowRow>('authorization_flows').insert({
    id,
    environment_id: flow.environmentId,
    session_id: flow.sessionId,
    integration_id: flow.integrationId,
    state_hash: flow.stateHash,
    browser_hash: flow.browserHash,
    secrets: deps.keys.encrypt(secrets, place(flow.environmentId, id)),
    expires_at: flow.expiresAt,
  });
}

/**
 * Uses a state up. One statement, so that of many callbacks with one state a single one goes on; another browser's cookie does
 * not use it up.
 *
 * @returns undefined for a state that is unknown, used, expired or another browser's
 */
export async function takeFlow(
  deps: FlowStoreDeps,
  back: { readonly stateHash: Buffer; readonly browserHash: Buffer; readonly now: Date },
): Promise<Flow | undefined> {
  const [row] = await deps
    .db<AuthorizationFlowRow>('authorization_flows')
    .where({ state_hash: back.stateHash, browser_hash: back.browserHash })
    .whereNull('used_at')
    .where('expires_at', '>', back.now)
    .update({ used_at: back.now })
    .returning(['id', 'environment_id', 'session_id', 'integration_id', 'secrets']);
  if (row === undefined) return undefined;
  const secrets = JSON.parse(deps.keys.decrypt(row.secrets, place(row.environment_id, row.id))) as Pick<
    Flow,
    'connectionConfig' | 'modeSecrets'
  >;
  return { environmentId: row.environment_id, sessionId: row.session_id, integrationId: row.integration_id, ...secrets };
}

function place(environmentId: number, rowId: number): Place {
  return { table: 'authorization_flows', column: 'secrets', environmentId, rowId };
}
