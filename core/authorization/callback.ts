import type { Knex } from 'knex';
import type { JsonObject } from '#contract';
import type { Activity, Operation } from '../activity/activity.ts';
import { type AuthMode, type Completed, type ModeInput, TokenFailure } from '../auth-modes/auth-mode.ts';
import { AUTH_MODES } from '../auth-modes/index.ts';
import type { Catalogue, Provider } from '../catalogue/catalogue.ts';
import type { ConnectSession } from '../connect-sessions/session.ts';
import { endSession, openSessionById } from '../connect-sessions/session-store.ts';
import type { Connection } from '../connections/connection.ts';
import { connectionFacts } from '../connections/connection-facts.ts';
import { connectionById } from '../connections/connection-store.ts';
import { secretPart } from '../connections/secret-config.ts';
import type { Notices } from '../db/notices.ts';
import { ServiceError } from '../errors.ts';
import type { Integration } from '../integrations/integration.ts';
import { integrationById } from '../integrations/integration-store.ts';
import { modeInput } from '../integrations/mode-input.ts';
import type { Clock } from '../kit/clock.ts';
import { killPoint } from '../kit/kill-point.ts';
import { hashSecret, newConnectionId } from '../kit/random-id.ts';
import { type AdmitDeps, admit } from '../lifecycle/admit.ts';
import { connectionCreated } from '../lifecycle/connection-created.ts';
import { connectionReauthorized } from '../lifecycle/connection-reauthorized.ts';
import type { Plugins } from '../plugin-host/plugins.ts';
import { FlowFailure, type FlowFailureCode } from './flow-failure.ts';
import { type Flow, type FlowStoreDeps, takeFlow } from './flow-store.ts';

export interface CallbackDeps extends FlowStoreDeps, AdmitDeps {
  readonly clock: Clock;
  readonly catalogue: Catalogue;
  readonly plugins: Plugins;
  readonly notices: Notices;
  readonly activity: Activity;
  /** The database's time: whoever refreshes judges the expiry by it. */
  readonly refreshing: { readonly time: { current(db: Knex): Promise<Date>; now(): Date } };
}

/** The browser as it comes back from the provider. */
interface Callback {
  readonly query: Readonly<Record<string, string>>;
  /** From the flow cookie. */
  readonly browserId: string | undefined;
}

interface Attempt {
  readonly flow: Flow;
  readonly session: ConnectSession;
  readonly integration: Integration;
  readonly provider: Provider;
  readonly mode: AuthMode;
  readonly input: ModeInput;
  /** The connection to authorize again; undefined: a new one. */
  readonly known: Connection | undefined;
  readonly operation: Operation;
}

/**
 * Ends an authorization: state → exchange → everything that may refuse → the connection, in one transaction.
 *
 * @returns the provider's display name
 * @throws FlowFailure; then nothing was written but the log entry
 */
export async function finishAuthorization(deps: CallbackDeps, callback: Callback): Promise<string> {
  const flow = await usedFlow(deps, callback);
  killPoint('callback-after-state');
  const attempt = await loadAttempt(deps, flow).catch((cause: unknown) => {
    throw describeFailure(deps, { operation: beginOperation(deps, flow) }, cause);
  });
  try {
    const completed = await complete(deps, attempt, callback.query);
    killPoint('callback-after-exchange');
    const connectionId = attempt.known?.connectionId ?? newConnectionId();
    const discovered = await discover(deps, attempt, { completed, connectionId });
    const connectionConfig = { ...flow.connectionConfig, ...discovered, ...fixedConfig(attempt) };
    await commit(deps, attempt, { completed, connectionId, connectionConfig });
    return attempt.provider.definition.display_name;
  } catch (cause) {
    throw describeFailure(deps, attempt, cause);
  }
}

/** A state works once, in the browser that began, within its time. */
async function usedFlow(deps: CallbackDeps, { query, browserId }: Callback): Promise<Flow> {
  const { state } = query;
  if (state === undefined || browserId === undefined) throw new FlowFailure('state_mismatch');
  const flow = await takeFlow(deps, { stateHash: hashSecret(state), browserHash: hashSecret(browserId), now: deps.clock.now() });
  if (flow === undefined) throw new FlowFailure('state_mismatch');
  return flow;
}

async function loadAttempt(deps: CallbackDeps, flow: Flow): Promise<Attempt> {
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
  const operation = beginOperation(deps, flow, { integration, known });
  return { flow, session, integration, provider, mode, input, known, operation };
}

/** @param about what the flow belongs to, when that could be loaded */
function beginOperation(deps: CallbackDeps, { environmentId }: Flow, about?: Pick<Attempt, 'integration' | 'known'>): Operation {
  const common = { type: 'auth', environmentId } as const;
  if (about === undefined) return deps.activity.begin({ ...common, operation: 'authorization' });
  const { integration, known } = about;
  return deps.activity.begin({
    ...common,
    operation: known === undefined ? 'creation' : 'override',
    providerConfigKey: integration.uniqueKey,
    ...(known !== undefined && { connectionId: known.connectionId }),
  });
}

async function complete(deps: CallbackDeps, attempt: Attempt, query: Callback['query']): Promise<Completed> {
  if (attempt.mode.complete === undefined) throw new ServiceError('invalid_auth_mode', 'this provider has no callback');
  const { time } = deps.refreshing;
  await time.current(deps.db);
  const modeDeps = { outbound: deps.outbound, now: () => time.now() };
  return attempt.mode.complete(modeDeps, attempt.input, { query, secrets: attempt.flow.modeSecrets });
}

interface Authorized {
  readonly completed: Completed;
  readonly connectionId: string;
}

/** What the backend fixed stands against whatever the browser or the provider says. */
function fixedConfig({ session, integration }: Attempt): JsonObject {
  return session.defaults[integration.uniqueKey] ?? {};
}

/** What token answer and plugin say of the connection, after both could refuse it. */
async function discover(deps: CallbackDeps, attempt: Attempt, { completed, connectionId }: Authorized): Promise<JsonObject> {
  const { input, integration, provider, known, session } = attempt;
  const connectionConfig = { ...input.connectionConfig, ...completed.connectionConfig };
  const facts = connectionFacts({
    connectionId,
    providerConfigKey: integration.uniqueKey,
    provider: provider.slug,
    connectionConfig,
    metadata: known?.metadata ?? {},
    tags: known?.tags ?? session.tags,
  });
  const found = await admit(deps, {
    input: { ...input, connectionConfig },
    plugin: deps.plugins.of(provider.slug),
    credentials: completed.credentials,
    facts,
    subscription: known?.subscription ?? {},
  });
  return { ...completed.connectionConfig, ...found };
}

async function commit(
  deps: CallbackDeps,
  attempt: Attempt,
  result: Authorized & { readonly connectionConfig: JsonObject },
): Promise<void> {
  const { session, integration, provider, known, operation } = attempt;
  const authorized = {
    credentials: result.completed.credentials,
    connectionConfig: result.connectionConfig,
    secretConfig: secretPart(provider.definition.connection_config, result.connectionConfig),
    operation,
    claim: async (trx: CallbackDeps['db']) => {
      if (!(await endSession(trx, session))) throw new FlowFailure('session_expired');
    },
  };
  if (known !== undefined) return connectionReauthorized(deps, known, authorized);
  const { environmentId, tags } = session;
  const owner = { environmentId, integrationId: integration.id, connectionId: result.connectionId };
  const { credentials, connectionConfig, secretConfig } = authorized;
  await connectionCreated(
    deps,
    { ...owner, credentials, connectionConfig, secretConfig, tags, endUser: null, webhookUrlOverride: null },
    authorized,
  );
}

/** What the log says in full the user reads in one sentence. Nothing that a provider wrote goes into either. */
function describeFailure(
  { log }: CallbackDeps,
  { operation, provider }: Pick<Attempt, 'operation'> & Partial<Pick<Attempt, 'provider'>>,
  cause: unknown,
): FlowFailure {
  const code = cause instanceof FlowFailure ? cause.code : failureCode(cause);
  if (isUnforeseen(cause)) log.error('an authorization failed', { logId: operation.id, error: cause });
  operation.note('error', 'the authorization failed', { failure: code, ...reasonOf(cause) });
  operation.end('failure');
  const named = provider && { providerName: provider.definition.display_name };
  return new FlowFailure(code, { ...named, logId: operation.id, reason: pluginsWords(cause), cause });
}

/** A `PluginError` is made for people. By name, since what reaches us of a hook's errors is a copy without its tokens. */
function pluginsWords(cause: unknown): string | undefined {
  if (!(cause instanceof ServiceError && cause.cause instanceof Error)) return undefined;
  return cause.cause.name === 'PluginError' ? cause.message : undefined;
}

/** Only the process log gets it whole: the operation log is part of the interface, which shows no stack and no SQL. */
function isUnforeseen(cause: unknown): boolean {
  return !(cause instanceof FlowFailure || cause instanceof TokenFailure || cause instanceof ServiceError);
}

function failureCode(cause: unknown): FlowFailureCode {
  if (cause instanceof TokenFailure) return tokenFailureCode(cause);
  if (!(cause instanceof ServiceError)) return 'server_error';
  if (cause.code === 'connection_test_failed') return 'credentials_rejected';
  return cause.code === 'provider_unavailable' ? 'provider_unreachable' : 'server_error';
}

/** Without a status the provider did not answer, or nothing was asked because of what the browser brought back. */
function tokenFailureCode({ kind, status, providerCode }: TokenFailure): FlowFailureCode {
  if (providerCode === 'access_denied') return 'provider_denied';
  if (status === 0) return kind === 'unknown' || kind === 'transient' ? 'provider_unreachable' : 'provider_error';
  return status >= 500 || status === 429 ? 'provider_unreachable' : 'token_exchange_failed';
}

function reasonOf(cause: unknown): Record<string, unknown> {
  if (cause instanceof TokenFailure)
    return { reason: cause.message, status: cause.status, providerError: cause.providerCode ?? null };
  return cause instanceof ServiceError ? { reason: cause.message } : {};
}
