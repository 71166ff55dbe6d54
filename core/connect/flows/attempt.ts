import type { Knex } from 'knex';
import type { JsonObject } from '#contract';
import type { ModeDeps, ModeInput, StoredCredentials } from '../../auth-modes/auth-mode.ts';
import { changeBySession } from '../../connections/connect-sessions/session.ts';
import { justEnded } from '../../connections/connect-sessions/session-end.ts';
import { endSession } from '../../connections/connect-sessions/session-store.ts';
import type { Activity, Operation } from '../../journal/operation-log/activity.ts';
import { newConnectionId } from '../../kit/random-id.ts';
import type { LifecycleDeps } from '../deps.ts';
import type { Choice, ConnectionPlan } from '../establish/connection-plan.ts';
import type { AuthorizationTarget } from './target.ts';

/** An authorization in progress: its target, the input of the auth mode, and its operation. */
export interface AuthorizationAttempt extends AuthorizationTarget {
  readonly input: ModeInput;
  readonly operation: Operation;
}

/** The result of an authorization, before it is checked. */
export interface Authorized {
  readonly credentials: StoredCredentials;
  /** The configuration that the user entered or the backend fixed. */
  readonly added: JsonObject;
  /** The configuration in the provider's response. */
  readonly found: JsonObject;
}

/** Returns the dependencies for calls of an auth mode: `now` is the database's time, as in later refreshes. */
export async function modeDeps({ db, outbound, refreshing: { time } }: LifecycleDeps): Promise<ModeDeps> {
  await time.current(db);
  return { outbound, now: () => time.now() };
}

/** Begins the log entry of an authorization. @param about the target of the authorization, if it could be loaded */
export function beginOperation(
  { activity }: { readonly activity: Activity },
  environmentId: number,
  about?: Pick<AuthorizationTarget, 'integration' | 'known' | 'session'>,
): Operation {
  const common = { type: 'auth', environmentId } as const;
  if (about === undefined) return activity.begin({ ...common, operation: 'authorization' });
  const { integration, known, session } = about;
  return activity.begin({
    ...common,
    operation: known === undefined ? 'creation' : 'override',
    providerConfigKey: integration.uniqueKey,
    actor: { kind: 'session', id: String(session.id) },
    ...(known !== undefined && { connectionId: known.connectionId }),
  });
}

/**
 * Ends the connect session, which permits only one connection.
 *
 * @throws ServiceError `unknown_connect_session_token` if it has ended
 */
export async function useSession(trx: Knex.Transaction, { session }: Pick<AuthorizationAttempt, 'session'>): Promise<void> {
  if (!(await endSession(trx, session))) throw await justEnded(trx, session);
}

/**
 * Returns the plan of the connection that the authorization is for.
 *
 * @param choice Default: the session's choice, and the user is not asked
 */
export function planOf(
  attempt: AuthorizationAttempt,
  { credentials, added, found }: Authorized,
  choice?: Choice,
): ConnectionPlan {
  const { session, integration, known: existing, input, operation } = attempt;
  const { tags, endUser, webhookUrlOverride } = session;
  return {
    integration,
    existing,
    credentials,
    connectionId: existing?.connectionId ?? session.connectionId ?? newConnectionId(),
    input: { ...input, connectionConfig: { ...input.connectionConfig, ...found } },
    addedConfig: { ...added, ...found },
    // Values that the backend fixed take precedence over everything that the browser or the provider sends.
    fixedConfig: session.defaults[integration.uniqueKey] ?? {},
    attributes: (current) => (current === undefined ? { tags, endUser, webhookUrlOverride } : changeBySession(session)),
    proof: 'provider',
    whenTaken: 'refuse',
    notify: true,
    choice: {
      canAsk: false,
      ...choice,
      id: choice?.id ?? session.authorizationPresets[integration.uniqueKey]?.choice,
    },
    reauthorization: existing && { allowsAccountChange: session.allowAccountChange },
    note: operation.note,
    beginOperation: () => operation,
  };
}
