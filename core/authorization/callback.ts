import { type AuthMode, type Completed, ForeignResponse, TokenFailure } from '../auth-modes/auth-mode.ts';
import { modeNamed } from '../auth-modes/index.ts';
import { audienceOf } from '../connect-sessions/session-record.ts';
import { openSessionById } from '../connect-sessions/session-store.ts';
import { connectionById } from '../connections/connection-store.ts';
import { OutcomeUnknown } from '../db/commit-outcome.ts';
import { withTransaction } from '../db/transaction.ts';
import { ServiceError } from '../errors.ts';
import { integrationById } from '../integrations/integration-store.ts';
import { modeInput } from '../integrations/mode-input.ts';
import { killPoint } from '../kit/kill-point.ts';
import { hashSecret } from '../kit/random-id.ts';
import type { Established } from '../lifecycle/connection-plan.ts';
import { type AuthorizationAttempt, beginOperation, conclude, modeDeps } from './attempt.ts';
import type { AuthorizationDeps } from './deps.ts';
import { sendFailureEvent } from './failure-event.ts';
import { recordFailure } from './failure-record.ts';
import { FlowFailure, type FlowFailureCode } from './flow-failure.ts';
import { type Connected, outcomeOfFailure } from './flow-outcome.ts';
import { type ClaimedFlow, claimFlow, recordOutcome, renewFlowLease } from './flow-store.ts';
import { asOwnApp, keepOwnApp, ownAppOf } from './own-app.ts';
import { waitForOutcome } from './second-request.ts';

/** A third of a flow's lease. */
const HEARTBEAT_MS = 2_000;

/** The request to the callback URL. */
interface Callback {
  readonly query: Readonly<Record<string, string>>;
  /** The values of the flow cookies. */
  readonly browserIds: readonly string[];
  /** The integration key in the callback's path; undefined for the common callback URL. */
  readonly callbackKey?: string | undefined;
}

interface FlowAttempt extends AuthorizationAttempt {
  readonly flow: ClaimedFlow;
  readonly mode: AuthMode;
}

/**
 * Completes an authorization: state → exchange → admission → connection, stored in one transaction. A state is valid once, in the
 * browser that started the flow, until it expires; a second request with it waits for the outcome of the first.
 *
 * @throws FlowFailure; then nothing was stored but the log entry, the auth webhook and the flow's outcome. `OutcomeUnknown` if
 *   the response to COMMIT was lost
 */
export async function finishAuthorization(deps: AuthorizationDeps, callback: Callback): Promise<Connected> {
  const { state } = callback.query;
  if (state === undefined) throw new FlowFailure(stateless(callback.query));
  if (callback.browserIds.length === 0) throw new FlowFailure('state_mismatch');
  const presented = { stateHash: hashSecret(state), browserHashes: callback.browserIds.map(hashSecret) };
  // In a transaction, whose outcome can be queried: a lost response must not use up the state.
  const flow = await withTransaction(deps.db, (trx) => claimFlow({ ...deps, db: trx }, presented, deps.clock.now()));
  if (flow === undefined) return waitForOutcome(deps, presented);
  killPoint('callback-after-state');
  using _ = heartbeat(deps, flow);
  try {
    return await exchange(deps, flow, callback);
  } catch (failure) {
    if (failure instanceof FlowFailure) await recordFlowFailure(deps, flow, failure);
    throw failure;
  }
}

/** Apps can also be installed from the provider's own pages, and by an owner who approves what somebody else has requested. */
function stateless({ setup_action: action, installation_id: installation }: Callback['query']): FlowFailureCode {
  if (action === 'request') return 'approval_pending';
  return installation === undefined ? 'state_mismatch' : 'not_begun_here';
}

async function exchange(deps: AuthorizationDeps, flow: ClaimedFlow, callback: Callback): Promise<Connected> {
  const attempt = await loadAttempt(deps, flow).catch((cause: unknown) => {
    throw describeFailure(deps, { operation: beginOperation(deps, flow.environmentId) }, cause);
  });
  try {
    const { credentials, connectionConfig: found } = await complete(deps, attempt, callback);
    killPoint('callback-after-exchange');
    const alongside = (trx: AuthorizationDeps['db'], established: Established) =>
      recordOutcome(trx, flow, connectedBy(attempt, established));
    const authorized = { credentials, added: flow.connectionConfig, found };
    return connectedBy(attempt, await conclude(deps, { ...attempt, alongside }, authorized));
  } catch (cause) {
    // It may have succeeded, and the application been notified.
    if (cause instanceof OutcomeUnknown) throw cause;
    const failure = describeFailure(deps, attempt, cause);
    await sendFailureEvent(deps, attempt, cause);
    throw failure;
  }
}

function connectedBy({ integration, session }: AuthorizationAttempt, { warning }: Established): Connected {
  const name = integration.displayName;
  return { name, audience: audienceOf(session), ...(warning !== undefined && { warning: warning.type }) };
}

/** Renews the flow's lease, so that a second request waits; if this process dies, the lease expires. */
function heartbeat({ db, log }: AuthorizationDeps, flow: ClaimedFlow): Disposable {
  const beat = () =>
    renewFlowLease(db, flow).catch((error: unknown) => log.debug('the lease of a flow could not be renewed', { error }));
  const timer = setInterval(() => void beat(), HEARTBEAT_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** For a reload of the page. If storing fails, the reload is asked to start again; this request still reports `failure`. */
async function recordFlowFailure(deps: AuthorizationDeps, flow: ClaimedFlow, failure: FlowFailure): Promise<void> {
  try {
    await recordOutcome(deps.db, flow, outcomeOfFailure(failure));
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
  });
  const operation = beginOperation(deps, environmentId, { integration, known });
  const mode = modeNamed(provider.definition.auth_mode);
  return { flow, session, integration, provider, mode, input, known, operation };
}

async function complete(deps: AuthorizationDeps, attempt: FlowAttempt, { query, callbackKey }: Callback): Promise<Completed> {
  // RFC 9700 §4.4.2.2: with distinct redirect URIs a server cannot pass its code off as that of another.
  if (attempt.flow.callbackKey !== callbackKey)
    throw new ForeignResponse('refused', 'the authorization response arrived at the callback URL of another integration');
  if (attempt.mode.complete === undefined) throw new ServiceError('invalid_auth_mode', 'this provider has no callback');
  const app = ownAppOf(attempt);
  const completed = await attempt.mode.complete(await modeDeps(deps), asOwnApp(attempt.input, app), {
    query,
    secrets: attempt.flow.modeSecrets,
    previous: attempt.known?.credentials,
  });
  return { ...completed, credentials: keepOwnApp(attempt.mode, completed.credentials, app) };
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

/** From a `PluginError` or a script's rejection. By name, since errors of hooks arrive as copies without their tokens. */
function userMessage(cause: unknown): string | undefined {
  if (cause instanceof ServiceError && cause.code === 'connection_validation_failed') return cause.message;
  if (!(cause instanceof ServiceError && cause.cause instanceof Error)) return undefined;
  return cause.cause.name === 'PluginError' ? cause.message : undefined;
}

/** Logged in full in the process log only: the operation log is public, and shows no stack and no SQL. */
function isUnexpected(cause: unknown): boolean {
  return !(cause instanceof FlowFailure || cause instanceof TokenFailure || cause instanceof ServiceError);
}
