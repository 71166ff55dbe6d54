import { type AuthMode, type Completed, TokenFailure } from '../auth-modes/auth-mode.ts';
import { AUTH_MODES } from '../auth-modes/index.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { openSessionById } from '../connect-sessions/session-store.ts';
import { connectionById } from '../connections/connection-store.ts';
import { OutcomeUnknown } from '../db/commit-outcome.ts';
import { withTransaction } from '../db/transaction.ts';
import { ServiceError } from '../errors.ts';
import { integrationById } from '../integrations/integration-store.ts';
import { modeInput } from '../integrations/mode-input.ts';
import type { Clock } from '../kit/clock.ts';
import { killPoint } from '../kit/kill-point.ts';
import { hashSecret } from '../kit/random-id.ts';
import { type Attempt, type AttemptDeps, beginOperation, conclude, modeDeps } from './attempt.ts';
import { tellFailure } from './failure-event.ts';
import { recordFailure } from './failure-record.ts';
import { FlowFailure } from './flow-failure.ts';
import { type Flow, type FlowStoreDeps, takeFlow } from './flow-store.ts';

export interface CallbackDeps extends FlowStoreDeps, AttemptDeps {
  readonly clock: Clock;
  readonly catalogue: Catalogue;
}

/** The browser as it comes back from the provider. */
interface Callback {
  readonly query: Readonly<Record<string, string>>;
  /** From the flow cookie. */
  readonly browserId: string | undefined;
}

interface FlowAttempt extends Attempt {
  readonly flow: Flow;
  readonly mode: AuthMode;
}

/**
 * Ends an authorization: state → exchange → everything that may refuse → the connection, in one transaction.
 *
 * @returns the provider's display name
 * @throws FlowFailure; then nothing was written but the log entry and the auth webhook. `OutcomeUnknown`: nobody can say.
 */
export async function finishAuthorization(deps: CallbackDeps, callback: Callback): Promise<string> {
  const flow = await usedFlow(deps, callback);
  killPoint('callback-after-state');
  const attempt = await loadAttempt(deps, flow).catch((cause: unknown) => {
    throw describeFailure(deps, { operation: beginOperation(deps, flow.environmentId) }, cause);
  });
  try {
    const { credentials, connectionConfig: found } = await complete(deps, attempt, callback.query);
    killPoint('callback-after-exchange');
    await conclude(deps, attempt, { credentials, added: flow.connectionConfig, found });
    return attempt.provider.definition.display_name;
  } catch (cause) {
    // It may have succeeded, and the application been told so.
    if (cause instanceof OutcomeUnknown) throw cause;
    const failure = describeFailure(deps, attempt, cause);
    await tellFailure(deps, attempt, cause);
    throw failure;
  }
}

/** A state works once, in the browser that began, within its time. */
async function usedFlow(deps: CallbackDeps, { query, browserId }: Callback): Promise<Flow> {
  const { state } = query;
  if (state === undefined || browserId === undefined) throw new FlowFailure('state_mismatch');
  const back = { stateHash: hashSecret(state), browserHash: hashSecret(browserId), now: deps.clock.now() };
  // A transaction for a single statement: where its answer is lost, the state would be used up by nobody.
  const flow = await withTransaction(deps.db, (trx) => takeFlow({ ...deps, db: trx }, back));
  if (flow === undefined) throw new FlowFailure('state_mismatch');
  return flow;
}

async function loadAttempt(deps: CallbackDeps, flow: Flow): Promise<FlowAttempt> {
  const { environmentId } = flow;
  const session = await openSessionById(deps, environmentId, flow.sessionId);
  const integration = await integrationById(deps, environmentId, flow.integrationId);
  if (session === undefined) throw new FlowFailure('session_expired');
  if (integration === undefined) throw new FlowFailure('integration_unavailable');
  const known = session.reconnectId === null ? undefined : await connectionById(deps, environmentId, session.reconnectId);
  if (session.reconnectId !== null && known === undefined) throw new FlowFailure('integration_unavailable');
  const provider = deps.catalogue.find(integration.provider);
  const mode = provider && AUTH_MODES[provider.definition.auth_mode];
  if (provider === undefined || mode === undefined) throw new FlowFailure('integration_unavailable');
  const rules = deps.plugins.of(provider.slug).auth;
  const input = modeInput(integration, provider, {
    connectionConfig: { ...known?.connectionConfig, ...flow.connectionConfig },
    rules,
  });
  const operation = beginOperation(deps, environmentId, { integration, known });
  return { flow, session, integration, provider, mode, input, known, operation };
}

async function complete(deps: CallbackDeps, attempt: FlowAttempt, query: Callback['query']): Promise<Completed> {
  if (attempt.mode.complete === undefined) throw new ServiceError('invalid_auth_mode', 'this provider has no callback');
  return attempt.mode.complete(await modeDeps(deps), attempt.input, {
    query,
    secrets: attempt.flow.modeSecrets,
    previous: attempt.known?.credentials,
  });
}

/** What the log says in full the user reads in one sentence. Nothing that a provider wrote goes into either. */
function describeFailure(
  { log }: CallbackDeps,
  { operation, provider }: Pick<Attempt, 'operation'> & Partial<Pick<Attempt, 'provider'>>,
  cause: unknown,
): FlowFailure {
  if (isUnforeseen(cause)) log.error('an authorization failed', { logId: operation.id, error: cause });
  const code = recordFailure(operation, cause);
  const named = provider && { providerName: provider.definition.display_name };
  return new FlowFailure(code, { ...named, logId: operation.id, reason: wordsForPeople(cause), cause });
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
