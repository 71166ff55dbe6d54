import type { JsonObject } from '#contract';
import type { Activity, Operation } from '../activity/activity.ts';
import type { ModeDeps, ModeInput, StoredCredentials } from '../auth-modes/auth-mode.ts';
import { changeBySession } from '../connect-sessions/session.ts';
import { endSession } from '../connect-sessions/session-store.ts';
import { connectionFacts } from '../connections/connection-facts.ts';
import type { ConnectionStoreDeps } from '../connections/connection-store.ts';
import type { Notices } from '../db/notices.ts';
import { ServiceError } from '../errors.ts';
import { secretPart } from '../integrations/secret-fields.ts';
import { newConnectionId } from '../kit/random-id.ts';
import { type AdmitDeps, admit } from '../lifecycle/admit.ts';
import { type CreationDeps, connectionCreated } from '../lifecycle/connection-created.ts';
import { connectionReauthorized } from '../lifecycle/connection-reauthorized.ts';
import { warningOf } from '../lifecycle/lost-refresh-token.ts';
import type { Plugins } from '../plugin-host/plugins.ts';
import type { Target } from './target.ts';

export interface AttemptDeps extends AdmitDeps, ConnectionStoreDeps, CreationDeps {
  readonly plugins: Plugins;
  readonly notices: Notices;
  readonly activity: Activity;
}

/** An authorization that is under way: what it is for, what the mode may look at, and its entry in the operation log. */
export interface Attempt extends Target {
  readonly input: ModeInput;
  readonly operation: Operation;
  /** What else is written in the transaction of the connection. */
  readonly alongside?: (trx: AttemptDeps['db']) => Promise<void>;
}

/** What an authorization brought, before anything has been asked about it. */
export interface Authorized {
  readonly credentials: StoredCredentials;
  /** Configuration that the user typed or the backend fixed. */
  readonly added: JsonObject;
  /** Configuration that the provider told. */
  readonly found: JsonObject;
}

/** For the calls of an auth mode: `now` is the database's, as it will be for the refreshes to come. */
export async function modeDeps({ db, outbound, refreshing: { time } }: AttemptDeps): Promise<ModeDeps> {
  await time.current(db);
  return { outbound, now: () => time.now() };
}

/** @param about what is authorized, when that could be loaded */
export function beginOperation(
  { activity }: Pick<AttemptDeps, 'activity'>,
  environmentId: number,
  about?: Pick<Target, 'integration' | 'known'>,
): Operation {
  const common = { type: 'auth', environmentId } as const;
  if (about === undefined) return activity.begin({ ...common, operation: 'authorization' });
  const { integration, known } = about;
  return activity.begin({
    ...common,
    operation: known === undefined ? 'creation' : 'override',
    providerConfigKey: integration.uniqueKey,
    ...(known !== undefined && { connectionId: known.connectionId }),
  });
}

/**
 * The end of every authorization, however the credentials were got: everything that may refuse, then the connection, in one
 * transaction that also uses up the session.
 *
 * @returns the connection ID
 * @throws ServiceError and nothing was written: `connection_test_failed`, `connection_validation_failed`,
 *   `provider_unavailable`, `server_error`, `unknown_connect_session_token` when somebody else was first, `conflict` when the
 *   chosen ID was taken meanwhile,
 *   `unknown_connection` and `unknown_provider_config` when they were deleted meanwhile
 */
export async function conclude(deps: AttemptDeps, attempt: Attempt, authorized: Authorized): Promise<string> {
  const connectionId = attempt.known?.connectionId ?? attempt.session.connectionId ?? newConnectionId();
  const discovered = await discover(deps, attempt, { authorized, connectionId });
  const connectionConfig = { ...authorized.added, ...discovered, ...fixedBy(attempt) };
  await commit(deps, attempt, { credentials: authorized.credentials, connectionId, connectionConfig });
  return connectionId;
}

interface Candidate {
  readonly authorized: Authorized;
  readonly connectionId: string;
}

/** What the backend fixed stands against whatever the browser or the provider says. */
function fixedBy({ session, integration }: Attempt): JsonObject {
  return session.defaults[integration.uniqueKey] ?? {};
}

/** What provider and plugin say of the connection, after they and the integration's script could refuse it. */
async function discover(deps: AttemptDeps, attempt: Attempt, { authorized, connectionId }: Candidate): Promise<JsonObject> {
  const { input, integration, provider, known, session, operation } = attempt;
  const connectionConfig = { ...input.connectionConfig, ...authorized.found };
  const facts = connectionFacts({
    connectionId,
    providerConfigKey: integration.uniqueKey,
    provider: provider.slug,
    connectionConfig,
    metadata: known?.metadata ?? {},
    tags: changeBySession(session).tags ?? known?.tags ?? session.tags,
  });
  const discovered = await admit(deps, {
    input: { ...input, connectionConfig },
    plugin: deps.plugins.of(provider.slug),
    credentials: authorized.credentials,
    facts,
    subscription: known?.subscription ?? {},
    integration,
    known,
    fixedConfig: fixedBy(attempt),
    said: known === undefined ? session : changeBySession(session),
    note: operation.note,
  });
  return { ...authorized.found, ...discovered };
}

interface Result {
  readonly credentials: StoredCredentials;
  readonly connectionId: string;
  readonly connectionConfig: JsonObject;
}

async function commit(deps: AttemptDeps, attempt: Attempt, result: Result): Promise<void> {
  const { session, integration, provider, known, operation, alongside } = attempt;
  const authorized = {
    credentials: result.credentials,
    connectionConfig: result.connectionConfig,
    secretConfig: secretPart(provider.definition.connection_config, result.connectionConfig),
    operation,
    claim: async (trx: AttemptDeps['db']) => {
      if (await endSession(trx, session)) return alongside?.(trx);
      throw new ServiceError('unknown_connect_session_token', 'this connect session has just ended');
    },
  };
  if (known !== undefined) {
    const warning = warningOf(known.credentials, result.credentials);
    return connectionReauthorized(deps, known, { ...authorized, change: changeBySession(session), warning });
  }
  const { environmentId, tags, endUser, webhookUrlOverride } = session;
  const { id: integrationId, uniqueKey: providerConfigKey } = integration;
  const owner = { environmentId, integrationId, providerConfigKey, provider: provider.slug, connectionId: result.connectionId };
  const { credentials, connectionConfig, secretConfig } = authorized;
  await connectionCreated(
    deps,
    { ...owner, credentials, connectionConfig, secretConfig, tags, endUser, webhookUrlOverride },
    authorized,
  );
}
