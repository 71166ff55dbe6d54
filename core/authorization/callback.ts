import { type AuthMode, type Completed, ForeignResponse, type StoredCredentials, TokenFailure } from '../auth-modes/auth-mode.ts';
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
import { warningOf } from '../lifecycle/lost-refresh-token.ts';
import { type AuthorizationAttempt, beginOperation, conclude, modeDeps } from './attempt.ts';
import type { AuthorizationDeps } from './deps.ts';
import { sendFailureEvent } from './failure-event.ts';
import { recordFailure } from './failure-record.ts';
import { FlowFailure } from './flow-failure.ts';
import { type Connected, outcomeOfFailure } from './flow-outcome.ts';
import { type ClaimedFlow, claimFlow, prolongExchange, recordOutcome } from './flow-store.ts';
import { waitForOutcome } from './second-request.ts';

/** A third of a flow's lease. */
const HEARTBEAT_MS = 2_000;

/** The browser as it comes back from the provider. */
interface Callback {
  readonly query: Readonly<Record<string, string>>;
  /** From the flow cookies. */
  readonly browserIds: readonly string[];
  /** The integration key behind the callback's address; undefined: the common callback. */
  readonly callbackKey?: string | undefined;
}

interface FlowAttempt extends AuthorizationAttempt {
  readonly flow: ClaimedFlow;
  readonly mode: AuthMode;
}

/**
 * Ends an authorization: state → exchange → everything that may refuse → the connection, in one transaction. A state works
 * once, in the browser that began, within its time; a second request with it waits for what the first one comes to.
 *
 * @throws FlowFailure; then nothing was written but the log entry, the auth webhook and the flow's outcome. `OutcomeUnknown`:
 *   nobody can say.
 */
export async function finishAuthorization(deps: AuthorizationDeps, callback: Callback): Promise<Connected> {
  const { state } = callback.query;
  if (state === undefined || callback.browserIds.length === 0) throw new FlowFailure('state_mismatch');
  const back = { stateHash: hashSecret(state), browserHashes: callback.browserIds.map(hashSecret) };
  // A transaction for a single statement: where its answer is lost, the state would be used up by nobody.
  const flow = await withTransaction(deps.db, (trx) => claimFlow({ ...deps, db: trx }, back, deps.clock.now()));
  if (flow === undefined) return waitForOutcome(deps, back);
  killPoint('callback-after-state');
  using _ = heartbeat(deps, flow);
  try {
    return await exchange(deps, flow, callback);
  } catch (failure) {
    if (failure instanceof FlowFailure) await keepFailure(deps, flow, failure);
    throw failure;
  }
}

async function exchange(deps: AuthorizationDeps, flow: ClaimedFlow, callback: Callback): Promise<Connected> {
  const attempt = await loadAttempt(deps, flow).catch((cause: unknown) => {
    throw describeFailure(deps, { operation: beginOperation(deps, flow.environmentId) }, cause);
  });
  try {
    const { credentials, connectionConfig: found } = await complete(deps, attempt, callback);
    killPoint('callback-after-exchange');
    const connected = connectedBy(attempt, credentials);
    const alongside = (trx: AuthorizationDeps['db']) => recordOutcome(trx, flow, connected);
    await conclude(deps, { ...attempt, alongside }, { credentials, added: flow.connectionConfig, found });
    return connected;
  } catch (cause) {
    // It may have succeeded, and the application been told so.
    if (cause instanceof OutcomeUnknown) throw cause;
    const failure = describeFailure(deps, attempt, cause);
    await sendFailureEvent(deps, attempt, cause);
    throw failure;
  }
}

function connectedBy({ integration, session, known }: AuthorizationAttempt, credentials: StoredCredentials): Connected {
  const warning = known && warningOf(known.credentials, credentials)?.type;
  return { name: integration.displayName, audience: audienceOf(session), ...(warning !== undefined && { warning }) };
}

/** While this process lives, a second request waits; when it dies, that one is soon told so. */
function heartbeat({ db, log }: AuthorizationDeps, flow: ClaimedFlow): Disposable {
  const beat = () => prolongExchange(db, flow).catch((error: unknown) => log.debug('a flow could not be prolonged', { error }));
  const timer = setInterval(() => void beat(), HEARTBEAT_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** For whoever reloads meanwhile; when this fails they are told to try again, which is no reason to hide the failure itself. */
async function keepFailure(deps: AuthorizationDeps, flow: ClaimedFlow, failure: FlowFailure): Promise<void> {
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
  // RFC 9700 §4.4.2.2: a server with a redirect URI of its own cannot pass its code off as another one's.
  if (attempt.flow.callbackKey !== callbackKey)
    throw new ForeignResponse('refused', 'the authorization response came back to the callback URL of another integration');
  if (attempt.mode.complete === undefined) throw new ServiceError('invalid_auth_mode', 'this provider has no callback');
  return attempt.mode.complete(await modeDeps(deps), attempt.input, {
    query,
    secrets: attempt.flow.modeSecrets,
    previous: attempt.known?.credentials,
  });
}

/** What the log says in full the user reads in one sentence. Nothing that a provider wrote goes into either. */
function describeFailure(
  { log }: AuthorizationDeps,
  { operation, integration, session }: Pick<AuthorizationAttempt, 'operation'> & Partial<AuthorizationAttempt>,
  cause: unknown,
): FlowFailure {
  if (isUnforeseen(cause)) log.error('an authorization failed', { logId: operation.id, error: cause });
  const code = recordFailure(operation, cause);
  const known = { ...(integration && { subject: integration.displayName }), ...(session && { audience: audienceOf(session) }) };
  return new FlowFailure(code, { ...known, logId: operation.id, reason: wordsForPeople(cause), cause });
}

/** A `PluginError` and a script's refusal are. By name, since what reaches us of a hook's errors is a copy without its tokens. */
function wordsForPeople(cause: unknown): string | undefined {
  if (cause instanceof ServiceError && cause.code === 'connection_validation_failed') return cause.message;
  if (!(cause instanceof ServiceError && cause.cause instanceof Error)) return undefined;
  return cause.cause.name === 'PluginError' ? cause.message : undefined;
}

/** Only the process log gets it whole: the operation log is part of the interface, which shows no stack and no SQL. */
function isUnforeseen(cause: unknown): boolean {
  return !(cause instanceof FlowFailure || cause instanceof TokenFailure || cause instanceof ServiceError);
}
