import { type AuthMode, TokenFailure } from '../../auth-modes/auth-mode.ts';
import { modeNamed } from '../../auth-modes/index.ts';
import { audienceOf } from '../../connections/connect-sessions/session-record.ts';
import { openSessionById } from '../../connections/connect-sessions/session-store.ts';
import { connectionById } from '../../connections/connection-store.ts';
import { integrationById } from '../../connections/integrations/integration-store.ts';
import { modeInput } from '../../connections/integrations/mode-input.ts';
import { OutcomeUnknown } from '../../db/commit-outcome.ts';
import { withTransaction } from '../../db/transaction.ts';
import { ServiceError } from '../../errors.ts';
import { killPoint } from '../../kit/kill-point.ts';
import type { LifecycleDeps } from '../deps.ts';
import { admit } from '../establish/admit.ts';
import type { AdmittedPlan, Choice, ChoiceNeeded, Established } from '../establish/connection-plan.ts';
import { establishConnection } from '../establish/establish-connection.ts';
import { type AuthorizationAttempt, type Authorized, beginOperation, planOf, useSession } from './attempt.ts';
import { keepForChoice } from './choice-store.ts';
import { sendFailureEvent } from './failure-event.ts';
import { MissingProvider, recordFailure, userMessage } from './failure-record.ts';
import { FlowFailure } from './flow-failure.ts';
import { type Connected, outcomeOfFailure } from './flow-outcome.ts';
import type { FlowState } from './flow-state.ts';
import { type ClaimedFlow, recordOutcome, recordState, renewFlowLease } from './flow-store.ts';
import { announceFlow } from './flow-watcher.ts';

/** How often the lease is renewed, in milliseconds: a third of a flow's lease. */
const HEARTBEAT_MS = 2_000;

export interface FlowAttempt extends AuthorizationAttempt {
  readonly flow: ClaimedFlow;
  readonly mode: AuthMode;
}

interface FlowResult extends Connected {
  readonly connectionId: string;
}

/**
 * Loads the session, the integration and the connection of a claimed flow.
 *
 * @returns the failure that the flow has ended with, if one of them is gone
 */
export async function openAttempt(deps: LifecycleDeps, flow: ClaimedFlow): Promise<FlowAttempt | FlowFailure> {
  try {
    return await loadAttempt(deps, flow);
  } catch (cause) {
    const failure = describeFailure(deps, { operation: beginOperation(deps, flow.environmentId) }, cause);
    await recordFlowFailure(deps, flow, failure);
    return failure;
  }
}

/** Runs every check that can reject the connection. @returns the choice if the user has to make one first @throws as `admit` */
export async function admitFlow(
  deps: LifecycleDeps,
  attempt: FlowAttempt,
  { authorized, choice }: { readonly authorized: Authorized; readonly choice: Choice },
): Promise<AdmittedPlan | ChoiceNeeded> {
  await showState(deps, attempt.flow, 'verifying');
  return admit(deps, planOf(attempt, authorized, choice));
}

/**
 * Stores the tokens until the user has chosen; nothing else is stored.
 *
 * @throws FlowFailure if the flow has ended in the meantime
 */
export async function letChoose(
  deps: LifecycleDeps,
  { flow, ...attempt }: FlowAttempt,
  { authorized, options }: { readonly authorized: Authorized } & Pick<ChoiceNeeded, 'options'>,
): Promise<Connected> {
  const isKept = await keepForChoice(deps, flow, { ...authorized, options });
  announceFlow(deps, flow.id);
  if (!isKept) throw new FlowFailure('cancelled');
  return { ...connectedBy(attempt, {}), isChoosing: true };
}

/**
 * Stores the connection and, in the same transaction, the end of its session and of the flow. A flow that has been cancelled or
 * replaced in the meantime creates no connection.
 *
 * @throws FlowFailure `cancelled`; ServiceError as `establishConnection` and `useSession`; `OutcomeUnknown` if the response to
 *   COMMIT was lost
 */
export async function establishFlow(deps: LifecycleDeps, attempt: FlowAttempt, plan: AdmittedPlan): Promise<FlowResult> {
  const result = await withTransaction(deps.db, async (trx) => {
    const here = { ...deps, db: trx };
    await useSession(trx, attempt);
    const { connection, warning } = await establishConnection(here, plan);
    const outcome = { ...connectedBy(attempt, { warning }), connectionId: connection.connectionId };
    if (!(await recordOutcome(trx, attempt.flow, outcome))) throw new FlowFailure('cancelled');
    announceFlow(here, attempt.flow.id);
    return outcome;
  });
  killPoint('callback-after-commit');
  return result;
}

/**
 * Reports why the attempt has connected nothing: to the log, the user, and the application, unless somebody has cancelled or
 * replaced the flow.
 *
 * @throws OutcomeUnknown if the attempt may have succeeded, and the application may have been notified
 */
export async function failureOf(deps: LifecycleDeps, attempt: FlowAttempt, cause: unknown): Promise<FlowFailure> {
  if (cause instanceof OutcomeUnknown) throw cause;
  const failure = describeFailure(deps, attempt, cause);
  if (failure.code !== 'cancelled') await sendFailureEvent(deps, attempt, cause);
  return failure;
}

/** Shows a state to those who follow the flow. If that fails, the flow continues. */
export async function showState(deps: LifecycleDeps, flow: ClaimedFlow, state: FlowState): Promise<void> {
  if (!flow.canAsk) return;
  try {
    await recordState(deps.db, flow, state);
    announceFlow(deps, flow.id);
  } catch (error) {
    deps.log.debug('the state of a flow could not be stored', { error });
  }
}

function connectedBy(
  { integration, session }: Pick<AuthorizationAttempt, 'integration' | 'session'>,
  { warning }: Pick<Established, 'warning'>,
): Connected {
  const name = integration.displayName;
  return { name, audience: audienceOf(session), ...(warning !== undefined && { warning: warning.type }) };
}

/** Renews the flow's lease, so that a second request waits; if this process dies, the lease expires. */
export function heartbeat({ db, log }: LifecycleDeps, flow: ClaimedFlow): Disposable {
  const beat = () =>
    renewFlowLease(db, flow).catch((error: unknown) => log.debug('the lease of a flow could not be renewed', { error }));
  const timer = setInterval(() => void beat(), HEARTBEAT_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/**
 * Records a failure, so that a reload of the page shows it. If it cannot be stored, this request still reports it, but after a
 * reload the page asks the user to start again.
 */
export async function recordFlowFailure(deps: LifecycleDeps, flow: ClaimedFlow, failure: FlowFailure): Promise<void> {
  try {
    await recordOutcome(deps.db, flow, outcomeOfFailure(failure));
    announceFlow(deps, flow.id);
  } catch (error) {
    deps.log.warn('the outcome of an authorization could not be stored', { error, logId: failure.logId });
  }
}

async function loadAttempt(deps: LifecycleDeps, flow: ClaimedFlow): Promise<FlowAttempt> {
  const { environmentId } = flow;
  const session = await openSessionById(deps, environmentId, flow.sessionId);
  const integration = await integrationById(deps, environmentId, flow.integrationId);
  if (session === undefined) throw new FlowFailure('session_expired');
  if (integration === undefined) throw new FlowFailure('integration_unavailable');
  const known = session.reconnectId === null ? undefined : await connectionById(deps, environmentId, session.reconnectId);
  if (session.reconnectId !== null && known === undefined) throw new FlowFailure('connection_deleted');
  const provider = deps.catalogue.find(integration.provider);
  if (provider === undefined) throw missingProvider(integration.provider);
  const rules = deps.plugins.of(provider.slug).auth;
  const input = modeInput(integration, provider, {
    connectionConfig: { ...known?.connectionConfig, ...flow.connectionConfig },
    rules,
    // The code, or the tokens, are issued to the client that began the flow.
    ...(flow.clientFingerprint !== undefined && { clientFingerprint: flow.clientFingerprint }),
  });
  const operation = beginOperation(deps, environmentId, { integration, known, session });
  const mode = modeNamed(provider.definition.auth_mode);
  return { flow, session, integration, provider, mode, input, known, operation };
}

function missingProvider(slug: string): FlowFailure {
  return new FlowFailure('integration_unavailable', { cause: new MissingProvider(slug) });
}

/** Writes the details to the log, and returns the failure that the user sees. Neither contains text from a provider. */
function describeFailure(
  { log }: LifecycleDeps,
  { operation, integration, session, known }: Pick<AuthorizationAttempt, 'operation'> & Partial<AuthorizationAttempt>,
  cause: unknown,
): FlowFailure {
  if (isUnexpected(cause)) log.error('an authorization failed', { logId: operation.id, error: cause });
  const code = recordFailure(operation, cause);
  const facts = { ...(integration && { subject: integration.displayName }), ...(session && { audience: audienceOf(session) }) };
  const isReconnect = known !== undefined;
  return new FlowFailure(code, { ...facts, isReconnect, logId: operation.id, reason: userMessage(cause), cause });
}

/**
 * Returns whether an error is unexpected. Such an error is logged in full only in the process log, since the operation log is
 * public and shows no stack and no SQL.
 */
function isUnexpected(cause: unknown): boolean {
  return !(cause instanceof FlowFailure || cause instanceof TokenFailure || cause instanceof ServiceError);
}
