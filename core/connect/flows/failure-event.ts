import { changeBySession } from '../../connections/connect-sessions/session.ts';
import { shownAccount } from '../../connections/provider-account.ts';
import { withTransaction } from '../../db/transaction.ts';
import { ERROR_MEANINGS } from '../../error-meanings.ts';
import { type ErrorCode, ServiceError } from '../../errors.ts';
import { type AuthEvent, sendAuthMessage } from '../../webhook-delivery/auth-message.ts';
import type { LifecycleDeps } from '../deps.ts';
import type { AuthorizationAttempt } from './attempt.ts';
import { failureCode, userMessage } from './failure-record.ts';
import type { FlowFailureCode } from './flow-failure.ts';

interface FailureDescription {
  readonly type: ErrorCode;
  /**
   * The description; never text from a provider, which may echo secrets. Absent: the meaning of the error code
   * (`error-meanings.ts`).
   */
  readonly description?: string;
}

const ERRORS: Readonly<Record<FlowFailureCode, FailureDescription>> = {
  session_expired: { type: 'unknown_connect_session_token' },
  integration_unavailable: { type: 'unknown_provider_config', description: 'The integration was deleted in the meantime.' },
  connection_deleted: { type: 'unknown_connection', description: 'The connection was deleted in the meantime.' },
  provider_denied: { type: 'connection_test_failed', description: 'The user did not allow access at the provider.' },
  provider_error: { type: 'connection_test_failed', description: 'The provider reported a problem.' },
  foreign_response: {
    type: 'connection_test_failed',
    description:
      'The authorization response names a different issuer (see `integration_config.issuer`) or request token than expected.',
  },
  approval_pending: { type: 'connection_test_failed', description: 'An owner must approve the installation first.' },
  foreign_installation: {
    type: 'connection_test_failed',
    description: 'The installation does not belong to the app, or the user may not use it.',
  },
  // The application receives no event for these four, which are only shown to users.
  cancelled: { type: 'conflict' },
  not_begun_here: { type: 'conflict' },
  already_connected: { type: 'conflict' },
  still_running: { type: 'provider_unavailable' },
  state_mismatch: { type: 'conflict', description: 'The connection ID was used by another connection in the meantime.' },
  wrong_account: { type: 'wrong_account', description: 'The user chose a different account than the one of the connection.' },
  token_exchange_failed: { type: 'connection_test_failed', description: 'The provider accepted the user but issued no token.' },
  connection_refused: {
    type: 'connection_validation_failed',
    description: 'The validation script rejected the connection or failed.',
  },
  credentials_rejected: {
    type: 'connection_test_failed',
    description: 'The new credentials were rejected or could not be verified.',
  },
  provider_unreachable: { type: 'provider_unavailable', description: 'The provider gave no usable response.' },
  server_error: { type: 'server_error' },
};

/**
 * Notifies the application of an authorization that failed after the user's part, unless its session had already ended, since
 * that was reported then. A failure of this function is only logged, since the user should see the original failure.
 */
export async function sendFailureEvent(deps: LifecycleDeps, attempt: AuthorizationAttempt, cause: unknown): Promise<void> {
  const error = errorOf(cause);
  if (error.type === 'unknown_connect_session_token') return;
  const description = `${error.description} (log ${attempt.operation.id})`;
  const event = { ...subjectOf(attempt), success: false, error: { type: error.type, description } };
  try {
    await withTransaction(deps.db, (trx) => sendAuthMessage(deps, trx, event));
  } catch (fault) {
    deps.log.warn('a failed authorization could not be reported to the application', {
      error: fault,
      logId: attempt.operation.id,
    });
  }
}

function errorOf(cause: unknown): Required<FailureDescription> {
  const described = ERRORS[failureCode(cause)];
  const type = cause instanceof ServiceError ? cause.code : described.type;
  return { type, description: ownReason(cause) ?? described.description ?? ERROR_MEANINGS[type].meaning };
}

/** Returns why new credentials were not accepted, unless the reason is in the words of a plugin. */
function ownReason(cause: unknown): string | undefined {
  if (!(cause instanceof ServiceError && cause.code === 'connection_test_failed')) return undefined;
  return userMessage(cause) === undefined ? sentence(cause.message) : undefined;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Returns the attributes that the connection has, or would have received, from its session. */
function subjectOf({ session, integration, provider, known }: AuthorizationAttempt): Omit<AuthEvent, 'success'> {
  const { tags, endUser, webhookUrlOverride } = { ...(known ?? session), ...changeBySession(session) };
  return {
    environmentId: session.environmentId,
    operation: known === undefined ? 'creation' : 'override',
    connectionId: known?.connectionId,
    providerConfigKey: integration.uniqueKey,
    provider: provider.slug,
    authMode: provider.definition.auth_mode,
    providerAccount: shownAccount(known?.providerAccount ?? null),
    tags,
    endUser,
    webhookUrlOverride,
  };
}
