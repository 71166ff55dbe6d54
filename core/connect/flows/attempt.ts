import type { JsonObject } from '#contract';
import type { ModeDeps, ModeInput, StoredCredentials } from '../../auth-modes/auth-mode.ts';
import { changeBySession } from '../../connections/connect-sessions/session.ts';
import { endSession } from '../../connections/connect-sessions/session-store.ts';
import { ServiceError } from '../../errors.ts';
import type { Operation } from '../../journal/operation-log/activity.ts';
import { killPoint } from '../../kit/kill-point.ts';
import { newConnectionId } from '../../kit/random-id.ts';
import type { Choice, ConnectionPlan, Established } from '../establish/connection-plan.ts';
import { establishConnection } from '../establish/establish-connection.ts';
import type { AuthorizationDeps } from './deps.ts';
import type { AuthorizationTarget } from './target.ts';

/** An authorization in progress: its target, the input of the auth mode, and its operation. */
export interface AuthorizationAttempt extends AuthorizationTarget {
  readonly input: ModeInput;
  readonly operation: Operation;
  /** Additional writes in the transaction of the connection. */
  readonly alongside?: ConnectionPlan['alongside'];
  /** Default: that of the session, else without asking. */
  readonly choice?: Choice;
}

/** The result of an authorization, not yet checked. */
export interface Authorized {
  readonly credentials: StoredCredentials;
  /** Configuration that the user entered or the backend fixed. */
  readonly added: JsonObject;
  /** Configuration in the provider's response. */
  readonly found: JsonObject;
}

/** For calls of an auth mode: `now` is the database's time, as in later refreshes. */
export async function modeDeps({ db, outbound, refreshing: { time } }: AuthorizationDeps): Promise<ModeDeps> {
  await time.current(db);
  return { outbound, now: () => time.now() };
}

/** @param about what is authorized, if it could be loaded */
export function beginOperation(
  { activity }: Pick<AuthorizationDeps, 'activity'>,
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
 * The end of every authorization, however the credentials were obtained: stores the connection and ends the session.
 *
 * @throws ServiceError as `establishConnection` does, and nothing was stored; `unknown_connect_session_token` if the session
 *   has ended
 */
export async function conclude(
  deps: AuthorizationDeps,
  attempt: AuthorizationAttempt,
  authorized: Authorized,
): Promise<Established> {
  const established = await establishConnection(deps, planOf(attempt, authorized));
  killPoint('callback-after-commit');
  return established;
}

function planOf(attempt: AuthorizationAttempt, { credentials, added, found }: Authorized): ConnectionPlan {
  const { session, integration, known: existing, input, operation } = attempt;
  const { tags, endUser, webhookUrlOverride } = session;
  return {
    integration,
    existing,
    credentials,
    connectionId: existing?.connectionId ?? session.connectionId ?? newConnectionId(),
    input: { ...input, connectionConfig: { ...input.connectionConfig, ...found } },
    addedConfig: { ...added, ...found },
    // What the backend fixed takes precedence over whatever the browser or the provider says.
    fixedConfig: session.defaults[integration.uniqueKey] ?? {},
    attributes: (current) => (current === undefined ? { tags, endUser, webhookUrlOverride } : changeBySession(session)),
    proof: 'provider',
    whenTaken: 'refuse',
    notify: true,
    choice: {
      canAsk: false,
      ...attempt.choice,
      id: attempt.choice?.id ?? session.authorizationPresets[integration.uniqueKey]?.choice,
    },
    reauthorization: existing && { allowsAccountChange: session.allowAccountChange },
    note: operation.note,
    beginOperation: () => operation,
    claim: async (trx) => {
      if (!(await endSession(trx, session)))
        throw new ServiceError('unknown_connect_session_token', 'this connect session has just ended');
    },
    ...(attempt.alongside && { alongside: attempt.alongside }),
  };
}
