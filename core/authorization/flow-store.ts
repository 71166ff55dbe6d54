import type { Knex } from 'knex';
import type { JsonObject } from '#contract';
import { nextId } from '../db/next-id.ts';
import type { AuthorizationFlowRow } from '../db/rows.ts';
import type { Place } from '../kit/key-ring.ts';
import type { AuthorizationDeps } from './deps.ts';
import type { FlowOutcome } from './flow-outcome.ts';

/** The lease of an exchange, which its instance renews. */
const LEASE_SECONDS = 6;

/** An authorization that waits for its callback. State and browser ID are stored as hashes, the rest encrypted. */
export interface Flow {
  readonly environmentId: number;
  readonly sessionId: number;
  readonly integrationId: number;
  readonly connectionConfig: JsonObject;
  /** Secrets of the auth mode, such as redirect URI and PKCE verifier. */
  readonly modeSecrets: JsonObject;
  /** Of the integration's client that it was begun with; undefined: begun by the release before. */
  readonly clientFingerprint?: string | null | undefined;
  /** The integration key at the end of the redirect URI, if the integration has its own callback URL. */
  readonly callbackKey?: string | undefined;
}

/** A flow claimed by a callback. */
export interface ClaimedFlow extends Flow {
  readonly id: number;
  /** The user interface can let the user choose. */
  readonly canAsk: boolean;
}

/** A flow whose state was used. */
export interface UsedFlow {
  /** Whether its exchange is in progress: its lease has not expired. */
  readonly isExchanging: boolean;
  /** Whether it waits for the user's choice. */
  readonly isChoosing: boolean;
  readonly outcome: FlowOutcome | null;
}

/** The state and cookies of a callback, as hashes. */
export interface PresentedState {
  readonly stateHash: Buffer;
  /** One for each flow cookie. */
  readonly browserHashes: readonly Buffer[];
}

export interface NewFlow extends Flow {
  readonly stateHash: Buffer;
  readonly browserHash: Buffer;
  /** Only of a flow begun by a user interface that lets the user choose. */
  readonly publicId?: string | undefined;
  readonly expiresAt: Date;
}

export async function insertFlow(deps: AuthorizationDeps, flow: NewFlow): Promise<void> {
  const id = await nextId(deps.db, 'authorization_flows');
  const { connectionConfig, modeSecrets, clientFingerprint, callbackKey } = flow;
  const secrets = JSON.stringify({ connectionConfig, modeSecrets, clientFingerprint, callbackKey });
  await deps.db<AuthorizationFlowRow>('authorization_flows').insert({
    id,
    environment_id: flow.environmentId,
    session_id: flow.sessionId,
    integration_id: flow.integrationId,
    state_hash: flow.stateHash,
    browser_hash: flow.browserHash,
    secrets: deps.keys.encrypt(secrets, flowPlace(flow.environmentId, id)),
    public_id: flow.publicId ?? null,
    expires_at: flow.expiresAt,
  });
}

/**
 * Claims the flow of a state. A single statement, so that only one of several callbacks succeeds; a callback of another browser
 * does not use the state up.
 *
 * @returns undefined if the state is unknown, used, expired or of another browser
 */
export async function claimFlow(deps: AuthorizationDeps, presented: PresentedState, now: Date): Promise<ClaimedFlow | undefined> {
  const [row] = await deps
    .db<AuthorizationFlowRow>('authorization_flows')
    .where({ state_hash: presented.stateHash })
    .whereIn('browser_hash', [...presented.browserHashes])
    .whereNull('used_at')
    .where('expires_at', '>', now)
    .update({ used_at: now, exchanging_until: leaseEnd(deps.db) })
    .returning(CLAIMED_COLUMNS);
  return row && claimedFlow(deps, row);
}

export const CLAIMED_COLUMNS = ['id', 'environment_id', 'session_id', 'integration_id', 'secrets', 'public_id'] as const;

export function claimedFlow(
  deps: Pick<AuthorizationDeps, 'keys'>,
  row: Pick<AuthorizationFlowRow, (typeof CLAIMED_COLUMNS)[number]>,
): ClaimedFlow {
  const secrets = JSON.parse(deps.keys.decrypt(row.secrets, flowPlace(row.environment_id, row.id))) as Pick<
    Flow,
    'connectionConfig' | 'modeSecrets' | 'clientFingerprint' | 'callbackKey'
  >;
  const { id, environment_id: environmentId, session_id: sessionId, integration_id: integrationId } = row;
  return { id, environmentId, sessionId, integrationId, canAsk: row.public_id !== null, ...secrets };
}

/** By the database's clock, which all instances share. */
export async function renewFlowLease(db: Knex, { id, environmentId }: Pick<ClaimedFlow, 'id' | 'environmentId'>): Promise<void> {
  await db<AuthorizationFlowRow>('authorization_flows')
    .where({ id, environment_id: environmentId })
    .update({ exchanging_until: leaseEnd(db) });
}

/** The flow of a state that was used before, in the browser that it belongs to. */
export async function findUsedFlow({ db }: AuthorizationDeps, presented: PresentedState): Promise<UsedFlow | undefined> {
  const row = await db<AuthorizationFlowRow>('authorization_flows')
    .where({ state_hash: presented.stateHash })
    .whereIn('browser_hash', [...presented.browserHashes])
    .whereNotNull('used_at')
    .first<{ outcome: FlowOutcome | null; is_exchanging: boolean; is_choosing: boolean } | undefined>(
      'outcome',
      db.raw('choice is not null as is_choosing'),
      db.raw('coalesce(exchanging_until > clock_timestamp(), false) as is_exchanging'),
    );
  return row && { isExchanging: row.is_exchanging, isChoosing: row.is_choosing, outcome: row.outcome };
}

/** The first outcome is kept: failing to report a success does not make it a failure. */
export async function recordOutcome(
  db: Knex,
  { id, environmentId }: Pick<ClaimedFlow, 'id' | 'environmentId'>,
  outcome: FlowOutcome,
): Promise<void> {
  await db<AuthorizationFlowRow>('authorization_flows')
    .where({ id, environment_id: environmentId })
    .whereNull('outcome')
    .update({ outcome: db.raw('?::jsonb', [JSON.stringify(outcome)]), choice: null });
}

export function leaseEnd(db: Knex): Knex.Raw {
  return db.raw(`clock_timestamp() + interval '${LEASE_SECONDS} seconds'`);
}

export function flowPlace(environmentId: number, rowId: number): Place {
  return { table: 'authorization_flows', column: 'secrets', environmentId, rowId };
}
