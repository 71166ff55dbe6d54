import type { Knex } from 'knex';
import type { JsonObject } from '#contract';
import { nextId } from '../../db/next-id.ts';
import { parseJson } from '../../kit/exact-json.ts';
import type { KeyRing, Place } from '../../kit/key-ring.ts';
import type { LifecycleDeps } from '../deps.ts';
import type { FlowOutcome } from './flow-outcome.ts';
import type { AuthorizationFlowRow } from './flow-row.ts';
import type { FlowMode, FlowState } from './flow-state.ts';

/** The lease of an exchange in seconds, which its instance renews. */
const LEASE_SECONDS = 6;

/** An authorization that waits for its callback. State and browser ID are stored as hashes, the rest encrypted. */
interface Flow {
  readonly environmentId: number;
  readonly sessionId: number;
  readonly integrationId: number;
  readonly connectionConfig: JsonObject;
  /** The secrets of the auth mode, such as redirect URI and PKCE verifier. */
  readonly modeSecrets: JsonObject;
  /** The fingerprint of the integration's client that began the flow; undefined until the browser is sent to the provider. */
  readonly clientFingerprint?: string | null | undefined;
  /** The integration key at the end of the redirect URI, if the integration has its own callback URL. */
  readonly callbackKey?: string | undefined;
}

/** A flow claimed by a callback. */
export interface ClaimedFlow extends Flow {
  readonly id: number;
  /** True if a user interface follows the flow and can let the user choose. */
  readonly canAsk: boolean;
  /** The mode of the flow; undefined if no user interface waits for it. */
  readonly mode: FlowMode | undefined;
}

/** A flow whose state was used, or cannot be used any more. */
export interface UsedFlow {
  /** True if its exchange is in progress: its lease has not expired. */
  readonly isExchanging: boolean;
  /** True if it waits for the user's choice. */
  readonly isChoosing: boolean;
  /** True if it was cancelled or replaced by another flow. */
  readonly isDropped: boolean;
  readonly outcome: FlowOutcome | null;
  /** True if its state has expired. */
  readonly hasExpired: boolean;
  readonly mode: FlowMode | undefined;
  readonly environmentId: number;
}

/** The state and cookies of a callback, as hashes. */
export interface PresentedState {
  readonly stateHash: Buffer;
  /** The hash of each flow cookie. */
  readonly browserHashes: readonly Buffer[];
}

/** The hashes of what the user's browser brings back from the provider: the `state` in the URL and the ID in the flow cookie. */
export interface SentBrowser {
  readonly stateHash: Buffer;
  readonly browserHash: Buffer;
}

export interface NewFlow extends Flow, SentBrowser {
  /** The ID set by the user interface that follows the flow; undefined if none does. */
  readonly publicId?: string | undefined;
  readonly mode?: FlowMode | undefined;
  readonly expiresAt: Date;
}

export async function insertFlow(deps: LifecycleDeps, flow: NewFlow): Promise<void> {
  const id = await nextId(deps.db, 'authorization_flows');
  await deps.db<AuthorizationFlowRow>('authorization_flows').insert({
    id,
    environment_id: flow.environmentId,
    session_id: flow.sessionId,
    integration_id: flow.integrationId,
    state_hash: flow.stateHash,
    browser_hash: flow.browserHash,
    secrets: sealedSecrets(deps.keys, { ...flow, id }),
    public_id: flow.publicId ?? null,
    mode: flow.mode ?? null,
    flow_state: flow.publicId === undefined ? null : 'redirected',
    expires_at: flow.expiresAt,
  });
}

/** The values of a flow that a callback needs, and the hash of the request that began it, if a user interface did. */
export interface FlowSecrets extends Pick<Flow, 'connectionConfig' | 'modeSecrets' | 'clientFingerprint' | 'callbackKey'> {
  /**
   * The hex SHA-256 of that request. It is encrypted, since the request may hold entered secrets, which a hash alone would not
   * hide.
   */
  readonly requestHash?: string | undefined;
}

export function sealedSecrets(
  keys: LifecycleDeps['keys'],
  flow: FlowSecrets & { readonly environmentId: number; readonly id: number },
): Buffer {
  const { connectionConfig, modeSecrets, clientFingerprint, callbackKey, requestHash } = flow;
  const secrets = JSON.stringify({ connectionConfig, modeSecrets, clientFingerprint, callbackKey, requestHash });
  return keys.encrypt(secrets, flowPlace(flow.environmentId, flow.id));
}

export function openedSecrets(
  keys: LifecycleDeps['keys'],
  row: Pick<AuthorizationFlowRow, 'id' | 'environment_id' | 'secrets'>,
): FlowSecrets {
  return parseJson(keys.decrypt(row.secrets, flowPlace(row.environment_id, row.id))) as FlowSecrets;
}

/**
 * Claims the flow of a state. It is a single statement, so that only one of several callbacks succeeds; a callback from another
 * browser does not use up the state.
 *
 * @returns undefined if the state is unknown, used, expired or belongs to another browser
 */
export async function claimFlow(deps: LifecycleDeps, presented: PresentedState, now: Date): Promise<ClaimedFlow | undefined> {
  const [row] = await deps
    .db<AuthorizationFlowRow>('authorization_flows')
    .where({ state_hash: presented.stateHash })
    .whereIn('browser_hash', [...presented.browserHashes])
    .whereNull('used_at')
    .where('expires_at', '>', now)
    .update({ used_at: now, exchanging_until: leaseEnd(deps.db), ...inState(deps.db, 'returned') })
    .returning(CLAIMED_COLUMNS);
  return row && claimedFlow(deps, row);
}

export const CLAIMED_COLUMNS = ['id', 'environment_id', 'session_id', 'integration_id', 'secrets', 'public_id', 'mode'] as const;

export function claimedFlow(
  deps: { readonly keys: KeyRing },
  row: Pick<AuthorizationFlowRow, (typeof CLAIMED_COLUMNS)[number]>,
): ClaimedFlow {
  const { id, environment_id: environmentId, session_id: sessionId, integration_id: integrationId } = row;
  const common = { id, environmentId, sessionId, integrationId };
  return {
    ...common,
    canAsk: row.public_id !== null && row.mode !== 'client',
    mode: flowMode(row),
    ...openedSecrets(deps.keys, row),
  };
}

function flowMode({ mode }: Pick<AuthorizationFlowRow, 'mode'>): FlowMode | undefined {
  return mode === 'popup' || mode === 'redirect' || mode === 'client' ? mode : undefined;
}

/** Renews a lease by the database's clock, which all instances share. A lease that was released is not renewed. */
export async function renewFlowLease(db: Knex, { id, environmentId }: Pick<ClaimedFlow, 'id' | 'environmentId'>): Promise<void> {
  await db<AuthorizationFlowRow>('authorization_flows')
    .where({ id, environment_id: environmentId })
    .whereNotNull('exchanging_until')
    .update({ exchanging_until: leaseEnd(db) });
}

/** Finds the flow of a state that was used before or has expired, in the browser that it belongs to. */
export async function findUsedFlow({ db, clock }: LifecycleDeps, presented: PresentedState): Promise<UsedFlow | undefined> {
  const row = await db<AuthorizationFlowRow>('authorization_flows')
    .where({ state_hash: presented.stateHash })
    .whereIn('browser_hash', [...presented.browserHashes])
    .where((query) => query.whereNotNull('used_at').orWhere('expires_at', '<=', clock.now()))
    .first<UsedRow | undefined>(
      'outcome',
      'mode',
      'environment_id',
      'flow_state',
      'expires_at',
      db.raw('choice is not null as is_choosing'),
      db.raw('coalesce(exchanging_until > clock_timestamp(), false) as is_exchanging'),
    );
  if (row === undefined) return undefined;
  const { is_exchanging: isExchanging, is_choosing: isChoosing, outcome, environment_id: environmentId } = row;
  const isDropped = row.flow_state === 'cancelled' || row.flow_state === 'superseded';
  const hasExpired = row.expires_at <= clock.now();
  return { isExchanging, isChoosing, isDropped, outcome, hasExpired, mode: flowMode(row), environmentId };
}

interface UsedRow extends Pick<AuthorizationFlowRow, 'mode' | 'environment_id' | 'flow_state' | 'expires_at'> {
  readonly outcome: FlowOutcome | null;
  readonly is_exchanging: boolean;
  readonly is_choosing: boolean;
}

/** Returns the outcome of the flow by which a session was used; undefined if the session ended otherwise. */
export async function successOf(
  db: Knex,
  session: { readonly id: number; readonly environmentId: number },
): Promise<FlowOutcome | undefined> {
  const row = await db<AuthorizationFlowRow>('authorization_flows')
    .where({ session_id: session.id, environment_id: session.environmentId, flow_state: 'succeeded' })
    .first('outcome');
  return (row?.outcome as FlowOutcome | null | undefined) ?? undefined;
}

/** Records the outcome of a flow, unless it already has one: the first is kept. @returns whether this outcome was recorded */
export async function recordOutcome(
  db: Knex,
  { id, environmentId }: Pick<ClaimedFlow, 'id' | 'environmentId'>,
  outcome: FlowOutcome,
): Promise<boolean> {
  const state = outcome.failure === undefined ? 'succeeded' : 'failed';
  const changed = await db<AuthorizationFlowRow>('authorization_flows')
    .where({ id, environment_id: environmentId })
    .whereNull('outcome')
    .update({ outcome: db.raw('?::jsonb', [JSON.stringify(outcome)]), choice: null, ...inState(db, state) });
  return changed === 1;
}

/** Records a state for those who follow the flow, unless the flow has ended. */
export async function recordState(
  db: Knex,
  { id, environmentId }: Pick<ClaimedFlow, 'id' | 'environmentId'>,
  state: FlowState,
): Promise<void> {
  await db<AuthorizationFlowRow>('authorization_flows')
    .where({ id, environment_id: environmentId })
    .whereNull('outcome')
    .update(inState(db, state));
}

/**
 * Returns the column values that put a flow into a state. They include a new row version, by which whoever follows the flow
 * notices the change.
 */
export function inState(db: Knex, state: FlowState) {
  return { flow_state: state, version: db.raw('version + 1') };
}

export function leaseEnd(db: Knex): Knex.Raw {
  return db.raw(`clock_timestamp() + interval '${LEASE_SECONDS} seconds'`);
}

export function flowPlace(environmentId: number, rowId: number): Place {
  return { table: 'authorization_flows', column: 'secrets', environmentId, rowId };
}
