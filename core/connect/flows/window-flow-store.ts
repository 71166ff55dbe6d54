import type { Knex } from 'knex';
import type { JsonObject } from '#contract';
import type { ConnectSession } from '../../connections/connect-sessions/session.ts';
import { nextId } from '../../db/next-id.ts';
import type { StoreDeps } from '../../db/store-deps.ts';
import type { FlowOutcome } from './flow-outcome.ts';
import type { AuthorizationFlowRow } from './flow-row.ts';
import { BEFORE_RETURN, type FlowMode, type FlowState } from './flow-state.ts';
import { CLAIMED_COLUMNS, type ClaimedFlow, claimedFlow, inState, leaseEnd, openedSecrets, sealedSecrets } from './flow-store.ts';

type OwningSession = Pick<ConnectSession, 'id' | 'environmentId'>;

/** A flow to insert, which a user interface has begun. */
interface NewWindowFlow {
  readonly session: OwningSession;
  readonly integrationId: number;
  readonly publicId: string;
  readonly mode: FlowMode;
  readonly state: FlowState;
  /** The hash of the launch ID; set if the user is to be sent to the provider's page. */
  readonly launchHash?: Buffer | undefined;
  readonly connectionConfig: JsonObject;
  /** The hash of the request that begins the flow: a request with the same hash is a repetition and begins no second flow. */
  readonly requestHash: string;
  readonly outcome?: FlowOutcome | undefined;
  readonly expiresAt: Date;
}

/**
 * @returns the flow, claimed for `LEASE_SECONDS` unless it waits for a browser to come back from the provider
 * @throws the database's error for a duplicate, if the session already has a flow with this ID or the launch ID is already in use
 */
export async function insertWindowFlow(deps: StoreDeps, flow: NewWindowFlow): Promise<ClaimedFlow> {
  const { db, keys } = deps;
  const id = await nextId(db, 'authorization_flows');
  const { environmentId } = flow.session;
  const isLaunched = flow.launchHash !== undefined;
  const [row] = await db<AuthorizationFlowRow>('authorization_flows')
    .insert({
      id,
      environment_id: environmentId,
      session_id: flow.session.id,
      integration_id: flow.integrationId,
      public_id: flow.publicId,
      mode: flow.mode,
      flow_state: flow.state,
      launch_hash: flow.launchHash ?? null,
      secrets: sealedSecrets(keys, { ...flow, environmentId, id, modeSecrets: {} }),
      ...(flow.outcome !== undefined && { outcome: db.raw('?::jsonb', [JSON.stringify(flow.outcome)]) }),
      ...(!isLaunched && { used_at: db.fn.now(), exchanging_until: leaseEnd(db) }),
      expires_at: flow.expiresAt,
    })
    .returning(CLAIMED_COLUMNS);
  if (row === undefined) throw new Error('a flow was not inserted');
  return claimedFlow(deps, row);
}

/**
 * Ends the session's flows that a new one replaces: those whose users have not come back, and those of a form that was sent
 * again.
 *
 * @returns their row IDs
 */
export async function supersedeFlows(db: Knex, session: OwningSession, outcome: FlowOutcome): Promise<readonly number[]> {
  const rows = await unfinished(db, { session_id: session.id, environment_id: session.environmentId })
    .where((query) =>
      query
        .whereIn('flow_state', BEFORE_RETURN)
        // Flows with entered credentials: the user has gone back to the form and sent it again.
        .orWhere((form) => form.where({ flow_state: 'verifying' }).whereNull('state_hash').whereNull('choice')),
    )
    .update(ended(db, 'superseded', outcome))
    .returning('id');
  return rows.map(({ id }) => id);
}

export interface CancelledFlow {
  readonly id: number;
  readonly integrationId: number;
  /** True if a process is working on the flow; that process will notice the cancellation. */
  readonly isAttended: boolean;
}

/** Cancels a flow. @returns undefined if it has ended already */
export async function cancelFlow(
  db: Knex,
  session: OwningSession,
  { flowId, outcome }: { readonly flowId: string; readonly outcome: FlowOutcome },
): Promise<CancelledFlow | undefined> {
  const where = { session_id: session.id, environment_id: session.environmentId, public_id: flowId };
  const isAttended = db.raw('coalesce(exchanging_until > clock_timestamp(), false) as is_attended');
  const [row]: (Pick<AuthorizationFlowRow, 'id' | 'integration_id'> & { is_attended: boolean })[] = await unfinished(db, where)
    .update(ended(db, 'cancelled', outcome))
    .returning(['id', 'integration_id', isAttended]);
  return row && { id: row.id, integrationId: row.integration_id, isAttended: row.is_attended };
}

/**
 * Ends a flow as failed if no process is working on it. Does nothing if the flow has changed since this `version` was read.
 *
 * @returns whether it did
 */
export async function endUnattended(
  db: Knex,
  { id, environmentId }: Pick<ClaimedFlow, 'id' | 'environmentId'>,
  { version, outcome }: { readonly version: number; readonly outcome: FlowOutcome },
): Promise<boolean> {
  const changed = await unfinished(db, { id, environment_id: environmentId, version })
    .whereRaw('coalesce(exchanging_until <= clock_timestamp(), true)')
    .update(ended(db, 'failed', outcome));
  return changed === 1;
}

function unfinished(db: Knex, where: Partial<AuthorizationFlowRow>) {
  return db<AuthorizationFlowRow>('authorization_flows').where(where).whereNull('outcome');
}

/** Returns the column values that end a flow. They mark its OAuth `state` as used, so that no callback can claim the flow. */
function ended(db: Knex, state: FlowState, outcome: FlowOutcome) {
  return {
    ...inState(db, state),
    outcome: db.raw('?::jsonb', [JSON.stringify(outcome)]),
    choice: null,
    used_at: db.raw('coalesce(used_at, now())'),
  };
}

/**
 * The columns that are read each time a user interface follows a flow. `secrets` is not one of them, so these frequent reads
 * decrypt nothing.
 */
const FOLLOWED_COLUMNS = [
  'id',
  'environment_id',
  'public_id',
  'flow_state',
  'version',
  'choice',
  'choice_expires_at',
  'expires_at',
] as const;

/** The facts that a user interface needs in order to follow a flow, with the names of the row's columns. */
export type FollowedRow = Omit<Pick<AuthorizationFlowRow, (typeof FOLLOWED_COLUMNS)[number]>, 'public_id' | 'flow_state'> & {
  readonly public_id: string;
  readonly flow_state: FlowState;
  readonly unique_key: string;
  readonly outcome: FlowOutcome | null;
  /** True if a process is working on the flow. */
  readonly is_attended: boolean;
  /** True if the process that was working on the flow has let its lease expire. */
  readonly is_abandoned: boolean;
};

export async function findFollowed(db: Knex, session: OwningSession, flowId: string): Promise<FollowedRow | undefined> {
  return db<FollowedRow>('authorization_flows as flow')
    .join('integrations', 'integrations.id', 'flow.integration_id')
    .where({ 'flow.session_id': session.id, 'flow.environment_id': session.environmentId, 'flow.public_id': flowId })
    .first(
      ...FOLLOWED_COLUMNS.map((column) => `flow.${column}`),
      'flow.outcome',
      'integrations.unique_key',
      db.raw('coalesce(flow.exchanging_until > clock_timestamp(), false) as is_attended'),
      db.raw('coalesce(flow.exchanging_until <= clock_timestamp(), false) as is_abandoned'),
    );
}

/** Returns the hash of the request that began the flow; undefined if there is no such flow. */
export async function requestHashOf(
  { db, keys }: StoreDeps,
  session: OwningSession,
  flowId: string,
): Promise<string | undefined> {
  const row = await db<AuthorizationFlowRow>('authorization_flows')
    .where({ session_id: session.id, environment_id: session.environmentId, public_id: flowId })
    .first('id', 'environment_id', 'secrets');
  return row && (openedSecrets(keys, row).requestHash ?? '');
}
