import { type AuthMode, TokenFailure } from '../../auth-modes/auth-mode.ts';
import { modeNamed } from '../../auth-modes/index.ts';
import { audienceOf } from '../../connections/connect-sessions/session-record.ts';
import { openSessionById } from '../../connections/connect-sessions/session-store.ts';
import { connectionById } from '../../connections/connection-store.ts';
import { integrationById } from '../../connections/integrations/integration-store.ts';
import { modeInput } from '../../connections/integrations/mode-input.ts';
import { OutcomeUnknown } from '../../db/commit-outcome.ts';
import { ServiceError } from '../../errors.ts';
import { notingCalls } from '../../journal/operation-log/noting-calls.ts';
import { ChoiceNeeded } from '../establish/choice-needed.ts';
import type { Choice, Established } from '../establish/connection-plan.ts';
import { type AuthorizationAttempt, type Authorized, beginOperation, conclude } from './attempt.ts';
import { keepForChoice } from './choice-store.ts';
import type { AuthorizationDeps } from './deps.ts';
import { sendFailureEvent } from './failure-event.ts';
import { recordFailure, userMessage } from './failure-record.ts';
import { FlowFailure } from './flow-failure.ts';
import { type Connected, outcomeOfFailure } from './flow-outcome.ts';
import type { FlowState } from './flow-state.ts';
import { type ClaimedFlow, recordOutcome, recordState, renewFlowLease } from './flow-store.ts';
import { announceFlow } from './flow-watcher.ts';

/** A third of a flow's lease. */
const HEARTBEAT_MS = 2_000;

export interface FlowAttempt extends AuthorizationAttempt {
  readonly flow: ClaimedFlow;
  readonly mode: AuthMode;
}

interface FlowResult extends Connected {
  /** Undefined while the user has to choose. */
  readonly connectionId?: string;
}

/**
 * From a claimed flow to its connection. If the user has to choose first, the tokens are kept, and nothing else is stored.
 *
 * @param obtain gets the credentials
 * @throws FlowFailure; then the application was notified. `OutcomeUnknown` if the response to COMMIT was lost
 */
export async function concludeFlow(
  deps: AuthorizationDeps,
  flow: ClaimedFlow,
  { choice, obtain }: { readonly choice: Choice; obtain(attempt: FlowAttempt): Promise<Authorized> },
): Promise<FlowResult> {
  const attempt = await loadAttempt(deps, flow).catch((cause: unknown) => {
    throw describeFailure(deps, { operation: beginOperation(deps, flow.environmentId) }, cause);
  });
  let authorized: Authorized | undefined;
  try {
    authorized = await notingCalls(attempt.operation.note, () => obtain(attempt));
    await showState(deps, flow, 'verifying');
    const alongside = (trx: AuthorizationDeps['db'], established: Established) => endAs(deps, trx, { attempt, established });
    const established = await conclude(deps, { ...attempt, choice, alongside }, authorized);
    return { ...connectedBy(attempt, established), connectionId: established.connection.connectionId };
  } catch (cause) {
    // It may have succeeded, and the application been notified.
    if (cause instanceof OutcomeUnknown) throw cause;
    if (cause instanceof ChoiceNeeded && authorized !== undefined) {
      const isKept = await keepForChoice(deps, flow, { ...authorized, options: cause.options });
      announceFlow(deps, flow.id);
      if (isKept) return { ...connectedBy(attempt, {}), isChoosing: true };
    }
    const hasEnded = cause instanceof ChoiceNeeded;
    const failure = describeFailure(deps, attempt, hasEnded ? new FlowFailure('cancelled') : cause);
    // Whoever ends a flow knows.
    if (failure.code !== 'cancelled') await sendFailureEvent(deps, attempt, cause);
    throw failure;
  }
}

/** In the transaction of the connection: one that was cancelled or replaced meanwhile makes none. @throws FlowFailure */
async function endAs(
  { signals }: AuthorizationDeps,
  trx: AuthorizationDeps['db'],
  { attempt, established }: { readonly attempt: FlowAttempt; readonly established: Established },
): Promise<void> {
  const outcome = { ...connectedBy(attempt, established), connectionId: established.connection.connectionId };
  if (!(await recordOutcome(trx, attempt.flow, outcome))) throw new FlowFailure('cancelled');
  announceFlow({ db: trx, signals }, attempt.flow.id);
}

/** For those who follow the flow; it goes on without. */
export async function showState(deps: AuthorizationDeps, flow: ClaimedFlow, state: FlowState): Promise<void> {
  if (!flow.canAsk) return;
  try {
    await recordState(deps.db, flow, state);
    announceFlow(deps, flow.id);
  } catch (error) {
    deps.log.debug('the state of a flow could not be stored', { error });
  }
}

function connectedBy({ integration, session }: AuthorizationAttempt, { warning }: Pick<Established, 'warning'>): Connected {
  const name = integration.displayName;
  return { name, audience: audienceOf(session), ...(warning !== undefined && { warning: warning.type }) };
}

/** Renews the flow's lease, so that a second request waits; if this process dies, the lease expires. */
export function heartbeat({ db, log }: AuthorizationDeps, flow: ClaimedFlow): Disposable {
  const beat = () =>
    renewFlowLease(db, flow).catch((error: unknown) => log.debug('the lease of a flow could not be renewed', { error }));
  const timer = setInterval(() => void beat(), HEARTBEAT_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** For a reload of the page. If storing fails, the reload is asked to start again; this request still reports `failure`. */
export async function recordFlowFailure(deps: AuthorizationDeps, flow: ClaimedFlow, failure: FlowFailure): Promise<void> {
  try {
    await recordOutcome(deps.db, flow, outcomeOfFailure(failure));
    announceFlow(deps, flow.id);
  } catch (error) {
    deps.log.warn('the outcome of an authorization could not be stored', { error, logId: failure.logId });
  }
}

async function loadAttempt(deps: AuthorizationDeps, flow: ClaimedFlow): Promise<FlowAttempt> {
  const { environmentId } = flow;
  const session = await openSessionById(deps, environmentId, flow.sessionId);
  const integration = await integrationById(deps, environmentId, flow.integrationId);
  if (session === undefined) throw new FlowFailure('session_expired');
  if (integration === undefined) throw new FlowFailure('integration_unavailable');
  const known = session.reconnectId === null ? undefined : await connectionById(deps, environmentId, session.reconnectId);
  if (session.reconnectId !== null && known === undefined) throw new FlowFailure('integration_unavailable');
  const provider = deps.catalogue.find(integration.provider);
  if (provider === undefined) throw new FlowFailure('integration_unavailable');
  const rules = deps.plugins.of(provider.slug).auth;
  const input = modeInput(integration, provider, {
    connectionConfig: { ...known?.connectionConfig, ...flow.connectionConfig },
    rules,
    // The code, or the tokens, are issued to the client that the flow was begun with.
    ...(flow.clientFingerprint !== undefined && { clientFingerprint: flow.clientFingerprint }),
  });
  const operation = beginOperation(deps, environmentId, { integration, known, session });
  const mode = modeNamed(provider.definition.auth_mode);
  return { flow, session, integration, provider, mode, input, known, operation };
}

/** Writes the details to the log, and returns what the user sees. Neither contains text of a provider. */
function describeFailure(
  { log }: AuthorizationDeps,
  { operation, integration, session }: Pick<AuthorizationAttempt, 'operation'> & Partial<AuthorizationAttempt>,
  cause: unknown,
): FlowFailure {
  if (isUnexpected(cause)) log.error('an authorization failed', { logId: operation.id, error: cause });
  const code = recordFailure(operation, cause);
  const facts = { ...(integration && { subject: integration.displayName }), ...(session && { audience: audienceOf(session) }) };
  return new FlowFailure(code, { ...facts, logId: operation.id, reason: userMessage(cause), cause });
}

/** Logged in full in the process log only: the operation log is public, and shows no stack and no SQL. */
function isUnexpected(cause: unknown): boolean {
  return !(cause instanceof FlowFailure || cause instanceof TokenFailure || cause instanceof ServiceError);
}
