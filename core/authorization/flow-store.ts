import type { Knex } from 'knex';
import type { JsonObject } from '#contract';
import { nextId } from '../db/next-id.ts';
import type { AuthorizationFlowRow } from '../db/rows.ts';
import type { Place } from '../kit/key-ring.ts';
import type { AuthorizationDeps } from './deps.ts';
import type { FlowOutcome } from './flow-outcome.ts';

/** How long an exchange counts as under way without a word of the instance that carries it out. */
const LEASE_SECONDS = 6;

/** An authorization that waits for its user to come back. State and browser ID are kept as hashes, the rest encrypted. */
export interface Flow {
  readonly environmentId: number;
  readonly sessionId: number;
  readonly integrationId: number;
  readonly connectionConfig: JsonObject;
  /** What the auth mode needs again: redirect URI, PKCE verifier and their like. */
  readonly modeSecrets: JsonObject;
  /** The integration key at the end of the redirect URI, where the integration has a callback of its own. */
  readonly callbackKey?: string | undefined;
}

/** A flow that was taken. */
export interface ClaimedFlow extends Flow {
  readonly id: number;
}

/** A flow whose state has been used. */
export interface UsedFlow {
  /** Whether somebody is at work on it: the lease of whoever took it has not run out. */
  readonly isExchanging: boolean;
  readonly outcome: FlowOutcome | null;
}

/** A browser that comes back from the provider. */
export interface BackInBrowser {
  readonly stateHash: Buffer;
  /** Of each flow cookie it has. */
  readonly browserHashes: readonly Buffer[];
}

export interface NewFlow extends Flow {
  readonly stateHash: Buffer;
  readonly browserHash: Buffer;
  readonly expiresAt: Date;
}

export async function insertFlow(deps: AuthorizationDeps, flow: NewFlow): Promise<void> {
  const id = await nextId(deps.db, 'authorization_flows');
  const { connectionConfig, modeSecrets, callbackKey } = flow;
  const secrets = JSON.stringify({ connectionConfig, modeSecrets, callbackKey });
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
export async function claimFlow(deps: AuthorizationDeps, back: BackInBrowser, now: Date): Promise<ClaimedFlow | undefined> {
  const [row] = await deps
    .db<AuthorizationFlowRow>('authorization_flows')
    .where({ state_hash: back.stateHash })
    .whereIn('browser_hash', [...back.browserHashes])
    .whereNull('used_at')
    .where('expires_at', '>', now)
    .update({ used_at: now, exchanging_until: leaseEnd(deps.db) })
    .returning(['id', 'environment_id', 'session_id', 'integration_id', 'secrets']);
  if (row === undefined) return undefined;
  const secrets = JSON.parse(deps.keys.decrypt(row.secrets, place(row.environment_id, row.id))) as Pick<
    Flow,
    'connectionConfig' | 'modeSecrets' | 'callbackKey'
  >;
  const { id, environment_id: environmentId, session_id: sessionId, integration_id: integrationId } = row;
  return { id, environmentId, sessionId, integrationId, ...secrets };
}

/** Says that the exchange is still under way. By the database's clock, which all instances share. */
export async function prolongExchange(db: Knex, { id, environmentId }: Pick<ClaimedFlow, 'id' | 'environmentId'>): Promise<void> {
  await db<AuthorizationFlowRow>('authorization_flows')
    .where({ id, environment_id: environmentId })
    .update({ exchanging_until: leaseEnd(db) });
}

/** How it stands with a state that was used before, for the browser that it belongs to. */
export async function findUsedFlow({ db }: AuthorizationDeps, back: BackInBrowser): Promise<UsedFlow | undefined> {
  const row = await db<AuthorizationFlowRow>('authorization_flows')
    .where({ state_hash: back.stateHash })
    .whereIn('browser_hash', [...back.browserHashes])
    .whereNotNull('used_at')
    .first<{ outcome: FlowOutcome | null; is_exchanging: boolean } | undefined>(
      'outcome',
      db.raw('coalesce(exchanging_until > clock_timestamp(), false) as is_exchanging'),
    );
  return row && { isExchanging: row.is_exchanging, outcome: row.outcome };
}

/** The first word stands: a failure to report a success is none. */
export async function recordOutcome(
  db: Knex,
  { id, environmentId }: Pick<ClaimedFlow, 'id' | 'environmentId'>,
  outcome: FlowOutcome,
): Promise<void> {
  await db<AuthorizationFlowRow>('authorization_flows')
    .where({ id, environment_id: environmentId })
    .whereNull('outcome')
    .update({ outcome: db.raw('?::jsonb', [JSON.stringify(outcome)]) });
}

function leaseEnd(db: Knex): Knex.Raw {
  return db.raw(`clock_timestamp() + interval '${LEASE_SECONDS} seconds'`);
}

function place(environmentId: number, rowId: number): Place {
  return { table: 'authorization_flows', column: 'secrets', environmentId, rowId };
}
