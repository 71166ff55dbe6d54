import type { ConnectSession } from '../../connections/connect-sessions/session.ts';
import { findConnection } from '../../connections/connection-store.ts';
import type { StoreDeps } from '../../db/store-deps.ts';
import type { Signals } from '../../db/work-signals.ts';
import type { Activity, Operation } from '../../journal/operation-log/activity.ts';
import type { Clock } from '../../kit/clock.ts';
import type { ChoiceOption } from '../establish/connection-plan.ts';
import { openedChoice } from './choice-store.ts';
import type { FlowFailureCode } from './flow-failure.ts';
import type { FieldError, FlowOutcome } from './flow-outcome.ts';
import type { FlowState } from './flow-state.ts';
import { announceFlow } from './flow-watcher.ts';
import { type UiErrorCode, uiErrorCodeOf } from './ui-errors.ts';
import { endUnattended, type FollowedRow, findFollowed } from './window-flow-store.ts';

/** A flow as the user interface that began it sees it. It holds no secret. */
export interface FollowedFlow {
  readonly rowId: number;
  readonly flowId: string;
  readonly uniqueKey: string;
  readonly state: FlowState;
  /** The version, which increases with each change. */
  readonly version: number;
  readonly expiresAt: Date;
  readonly error: {
    readonly code: UiErrorCode;
    /** The message of a plugin or a script for the user. */
    readonly message: string | null;
    readonly fields: readonly FieldError[];
    readonly logId: string | null;
    readonly retryAfter: number | null;
  } | null;
  /** The account of the new connection, as far as the provider reports it. */
  readonly account: { readonly name?: string; readonly email?: string } | null;
  /** The options; not empty only while the user has to choose. */
  readonly options: readonly ChoiceOption[];
  /** True if the access may be limited in time, because the provider issued no refresh token. */
  readonly isLimited: boolean;
  readonly connectionId: string | undefined;
}

interface Deps extends StoreDeps {
  readonly clock: Clock;
  readonly signals: Signals;
  readonly activity: Activity;
}

/**
 * Finds a flow of the session. A flow that nobody continues counts as failed: its process ended in the middle, or its time is over.
 *
 * @returns undefined if the session has no flow with this ID
 */
export async function findFollowedFlow(
  deps: Deps,
  session: Pick<ConnectSession, 'id' | 'environmentId'>,
  flowId: string,
): Promise<FollowedFlow | undefined> {
  const found = await findFollowed(deps.db, session, flowId);
  if (found === undefined) return undefined;
  const failure = unattended(found, deps.clock.now());
  if (failure === undefined) return followedFlow(deps, found);
  const { id, environment_id: environmentId, version } = found;
  const operation = failure === 'server_error' ? beginAbandoned(deps, found) : undefined;
  const outcome = { failure, name: '', audience: null, ...(operation && { logId: operation.id }) };
  const isEnded = await endUnattended(deps.db, { id, environmentId }, { version, outcome });
  if (isEnded) operation?.end('failure');
  announceFlow(deps, id);
  const row = await findFollowed(deps.db, session, flowId);
  return row && followedFlow(deps, row);
}

/** Returns why a flow that has not ended can no longer end; undefined if it still can. */
function unattended(row: FollowedRow, now: Date): FlowFailureCode | undefined {
  if (row.outcome !== null || row.is_attended) return undefined;
  const { choice, choice_expires_at: choiceEnd } = row;
  if (choiceEnd !== null && choice !== null) return choiceEnd <= now ? 'state_mismatch' : undefined;
  if (choiceEnd === null && row.is_abandoned) return 'server_error';
  return choiceEnd !== null || row.expires_at <= now ? 'state_mismatch' : undefined;
}

/**
 * Begins the log entry that says that a flow was abandoned, since the log messages of the process that worked on it were lost. It
 * is written when it ends.
 */
function beginAbandoned({ activity }: Deps, row: FollowedRow): Operation {
  const facts = { environmentId: row.environment_id, providerConfigKey: row.unique_key };
  const operation = activity.begin({ type: 'auth', operation: 'authorization', ...facts });
  operation.note('error', 'the process that worked on the flow ended; nothing was connected');
  operation.describe({ errorCode: 'server_error' });
  return operation;
}

async function followedFlow(deps: Deps, row: FollowedRow): Promise<FollowedFlow> {
  const { outcome, choice } = row;
  const state = stateOf(row);
  return {
    rowId: row.id,
    flowId: row.public_id,
    uniqueKey: row.unique_key,
    state,
    version: row.version,
    expiresAt: row.choice_expires_at ?? row.expires_at,
    error: outcome?.failure === undefined ? null : errorOf(outcome, outcome.failure),
    account: await accountOf(deps, row),
    options: state === 'choosing' && choice !== null ? openedChoice(deps.keys, row, choice).options : [],
    isLimited: outcome?.warning !== undefined,
    connectionId: outcome?.connectionId,
  };
}

/** Reads the account from the connection, where it is encrypted; in the flow's row it would not be. */
async function accountOf(deps: Deps, row: FollowedRow): Promise<FollowedFlow['account']> {
  const { environment_id: environmentId, unique_key: providerConfigKey, outcome } = row;
  const { connectionId } = outcome ?? {};
  if (connectionId === undefined) return null;
  const connection = await findConnection(deps, { environmentId, providerConfigKey, connectionId });
  const { name, email } = connection?.providerAccount ?? {};
  if (name === undefined && email === undefined) return null;
  return { ...(name !== undefined && { name }), ...(email !== undefined && { email }) };
}

/** Returns the state of a flow. If a process ended while it verified a choice, the choice can be made again. */
function stateOf({ flow_state: state, choice, is_attended: isAttended }: FollowedRow): FlowState {
  return choice !== null && !isAttended ? 'choosing' : state;
}

function errorOf({ error, reason, logId }: FlowOutcome, failure: FlowFailureCode): FollowedFlow['error'] {
  const { code, fields = [], retryAfter = null } = error ?? { code: uiErrorCodeOf(failure) };
  return { code, message: reason ?? null, fields, logId: logId ?? null, retryAfter };
}
