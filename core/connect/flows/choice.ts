import type { ConnectSession } from '../../connections/connect-sessions/session.ts';
import { withTransaction } from '../../db/transaction.ts';
import { ServiceError } from '../../errors.ts';
import { killPoint } from '../../kit/kill-point.ts';
import type { LifecycleDeps } from '../deps.ts';
import { ChoiceNeeded, type ChoiceOption } from '../establish/connection-plan.ts';
import { claimChoice, findNamedFlow, type NamedFlow, releaseChoice } from './choice-store.ts';
import { admitFlow, establishFlow, failureOf, heartbeat, openAttempt, recordFlowFailure } from './flow-attempt.ts';
import { FlowFailure } from './flow-failure.ts';
import type { ClaimedFlow } from './flow-store.ts';
import { announceFlow } from './flow-watcher.ts';

/** The view of a flow for the user interface that began it. */
interface FlowChoice {
  /** The state of the flow. `pending`: the user has not come back from the provider. */
  readonly state: 'pending' | 'choosing' | 'ended';
  readonly options: readonly ChoiceOption[];
  readonly expiresAt: Date | null;
}

/** @throws ServiceError `not_found` if the session has no such flow */
export async function flowChoice(deps: LifecycleDeps, session: ConnectSession, flowId: string): Promise<FlowChoice> {
  const { choice, hasEnded } = await requireFlow(deps, session, flowId);
  if (choice === undefined) return { state: hasEnded ? 'ended' : 'pending', options: [], expiresAt: null };
  return { state: 'choosing', ...choice };
}

/**
 * Continues a flow with the user's choice. After a failure that may be temporary the user can choose again; after any other the
 * flow has ended. If this process ends, its claim expires, and the choice can be made again.
 *
 * @returns the connection ID
 * @throws ServiceError as `authorizeDirectly` does; `not_found` if the session has no such flow, `invalid_body` for an unknown
 *   option, `conflict` if the flow does not wait for a choice
 */
export async function chooseInFlow(
  deps: LifecycleDeps,
  session: ConnectSession,
  { flowId, id }: { readonly flowId: string; readonly id: string },
): Promise<string> {
  const { choice } = await requireFlow(deps, session, flowId);
  if (choice === undefined) throw notChoosing();
  if (!choice.options.some((option) => option.id === id)) throw unknownOption();
  const claim = { flowId, now: deps.clock.now() };
  const claimed = await withTransaction(deps.db, (trx) => claimChoice({ ...deps, db: trx }, session, claim));
  if (claimed === undefined) throw notChoosing();
  killPoint('choice-after-claim');
  const { flow, pending } = claimed;
  announceFlow(deps, flow.id);
  using _ = heartbeat(deps, flow);
  const attempt = await openAttempt(deps, flow);
  if (attempt instanceof FlowFailure) throw errorOf(attempt);
  try {
    const admitted = await admitFlow(deps, attempt, { authorized: pending, choice: { id, canAsk: false } });
    if (admitted instanceof ChoiceNeeded) throw admitted;
    return (await establishFlow(deps, attempt, admitted)).connectionId;
  } catch (cause) {
    const failure = await failureOf(deps, attempt, cause);
    const error = errorOf(failure);
    if (error.code === 'provider_unavailable') await release(deps, flow);
    else await recordFlowFailure(deps, flow, failure);
    throw error;
  }
}

async function release(deps: LifecycleDeps, flow: ClaimedFlow): Promise<void> {
  await releaseChoice(deps.db, flow);
  announceFlow(deps, flow.id);
}

async function requireFlow(deps: LifecycleDeps, session: ConnectSession, flowId: string): Promise<NamedFlow> {
  const flow = await findNamedFlow(deps, session, { flowId, now: deps.clock.now() });
  if (flow === undefined) throw new ServiceError('not_found', 'this connect session has no flow with this ID');
  return flow;
}

function notChoosing(): ServiceError {
  return new ServiceError('conflict', 'this flow does not wait for a choice');
}

function unknownOption(): ServiceError {
  const message = 'must be the ID of one of the options';
  return new ServiceError('invalid_body', `id ${message}`, { details: [{ code: 'invalid_value', message, path: ['id'] }] });
}

/**
 * Returns the error for a failure: the `ServiceError` that caused it, `conflict` if the integration, session or connection has been
 * deleted, else `server_error` for an internal error, which was logged.
 */
function errorOf(failure: FlowFailure): ServiceError {
  const { cause } = failure;
  if (cause instanceof ServiceError) return cause;
  if (!(cause instanceof FlowFailure)) return new ServiceError('server_error', 'the authorization failed', { cause: failure });
  return new ServiceError(
    'conflict',
    'the integration, session or connection of this flow has been deleted: begin again with a new connect session',
    { cause: failure },
  );
}
