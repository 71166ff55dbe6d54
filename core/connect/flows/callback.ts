import { type Completed, ForeignResponse } from '../../auth-modes/auth-mode.ts';
import { withTransaction } from '../../db/transaction.ts';
import { ServiceError } from '../../errors.ts';
import { notingCalls } from '../../journal/operation-log/noting-calls.ts';
import { killPoint } from '../../kit/kill-point.ts';
import { hashSecret } from '../../kit/random-id.ts';
import type { LifecycleDeps } from '../deps.ts';
import { ChoiceNeeded } from '../establish/connection-plan.ts';
import { type Authorized, modeDeps } from './attempt.ts';
import {
  admitFlow,
  establishFlow,
  type FlowAttempt,
  failureOf,
  heartbeat,
  letChoose,
  openAttempt,
  recordFlowFailure,
  showState,
} from './flow-attempt.ts';
import { FlowFailure, type FlowFailureCode } from './flow-failure.ts';
import type { Connected, Visited } from './flow-outcome.ts';
import { type ClaimedFlow, claimFlow, type PresentedState } from './flow-store.ts';
import { announceFlow } from './flow-watcher.ts';
import { asOwnApp, keepOwnApp, ownAppOf } from './own-app.ts';
import { pluginExchange } from './plugin-auth.ts';
import { secondVisit } from './second-request.ts';

/** The request to the callback URL. */
interface Callback {
  readonly query: Readonly<Record<string, string>>;
  /** The values of the flow cookies. */
  readonly browserIds: readonly string[];
  /** The integration key in the callback's path; undefined for the common callback URL. */
  readonly callbackKey?: string | undefined;
}

/**
 * Completes an authorization: claim → exchange → admit → establish → notify. A state is valid once, in the browser that started the
 * flow, until it expires; a second request with it waits for the outcome of the first.
 *
 * @returns the content of the page. After a failure nothing was stored but the log entry, the auth webhook and the flow's outcome
 * @throws `OutcomeUnknown` if the response to COMMIT was lost
 */
export async function finishAuthorization(deps: LifecycleDeps, callback: Callback): Promise<Visited> {
  const { state } = callback.query;
  if (state === undefined) return { mode: undefined, result: new FlowFailure(stateless(callback.query)) };
  if (callback.browserIds.length === 0) return { mode: undefined, result: new FlowFailure('state_mismatch') };
  const presented = { stateHash: hashSecret(state), browserHashes: callback.browserIds.map(hashSecret) };
  const flow = await claim(deps, presented);
  if (flow === undefined) return secondVisit(deps, presented);
  using _ = heartbeat(deps, flow);
  const attempt = await openAttempt(deps, flow);
  const result = attempt instanceof FlowFailure ? attempt : await connectBy(deps, attempt, callback);
  return { mode: flow.mode, environmentId: flow.environmentId, result };
}

/**
 * Claims the flow in a transaction, whose outcome can be queried, so that a lost response to COMMIT does not use up the state.
 */
async function claim(deps: LifecycleDeps, presented: PresentedState): Promise<ClaimedFlow | undefined> {
  const flow = await withTransaction(deps.db, (trx) => claimFlow({ ...deps, db: trx }, presented, deps.clock.now()));
  if (flow !== undefined) announceFlow(deps, flow.id);
  killPoint('callback-after-state');
  return flow;
}

async function connectBy(deps: LifecycleDeps, attempt: FlowAttempt, callback: Callback): Promise<Connected | FlowFailure> {
  try {
    const authorized = await exchange(deps, attempt, callback);
    const admitted = await admitFlow(deps, attempt, { authorized, choice: { canAsk: attempt.flow.canAsk } });
    if (admitted instanceof ChoiceNeeded) return await letChoose(deps, attempt, { authorized, options: admitted.options });
    return await establishFlow(deps, attempt, admitted);
  } catch (cause) {
    const failure = await failureOf(deps, attempt, cause);
    await recordFlowFailure(deps, attempt.flow, failure);
    return failure;
  }
}

/**
 * Returns the failure of a callback without a state. Such callbacks come when an app is installed from the provider's own pages,
 * or by an owner who approves another user's request.
 */
function stateless({ setup_action: action, installation_id: installation }: Callback['query']): FlowFailureCode {
  if (action === 'request') return 'approval_pending';
  return installation === undefined ? 'state_mismatch' : 'not_begun_here';
}

async function exchange(deps: LifecycleDeps, attempt: FlowAttempt, callback: Callback): Promise<Authorized> {
  await showState(deps, attempt.flow, 'exchanging');
  const { credentials, connectionConfig: found } = await notingCalls(attempt.operation.note, () =>
    complete(deps, attempt, callback),
  );
  killPoint('callback-after-exchange');
  return { credentials, added: attempt.flow.connectionConfig, found };
}

async function complete(deps: LifecycleDeps, attempt: FlowAttempt, { query, callbackKey }: Callback): Promise<Completed> {
  // With distinct redirect URIs a server cannot pass its code off as another server's (RFC 9700 §4.4.2.2).
  if (attempt.flow.callbackKey !== callbackKey)
    throw new ForeignResponse('refused', 'the authorization response arrived at the callback URL of another integration');
  if (attempt.mode.complete === undefined) throw new ServiceError('invalid_auth_mode', 'this provider has no callback');
  const app = ownAppOf(attempt);
  const input = asOwnApp(attempt.input, app);
  const context = await modeDeps(deps);
  const completed = await attempt.mode.complete(context, input, {
    query,
    secrets: attempt.flow.modeSecrets,
    previous: attempt.known?.credentials,
    exchangeCode: pluginExchange(deps, context.now, { ...attempt, input }),
  });
  return { ...completed, credentials: keepOwnApp(attempt.mode, completed.credentials, app) };
}
