import { changeBySession } from '../connect-sessions/session.ts';
import { withTransaction } from '../db/transaction.ts';
import { ERROR_MEANINGS } from '../error-meanings.ts';
import { type ErrorCode, ServiceError } from '../errors.ts';
import { type AuthEvent, sendAuthMessage } from '../webhook-delivery/auth-message.ts';
import type { AuthorizationAttempt } from './attempt.ts';
import type { AuthorizationDeps } from './deps.ts';
import { failureCode } from './failure-record.ts';
import type { FlowFailureCode } from './flow-failure.ts';

interface FailureDescription {
  readonly type: ErrorCode;
  /** In our words: what a provider writes may hold what it was sent. Absent: what the code means. */
  readonly description?: string;
}

const ERRORS: Readonly<Record<FlowFailureCode, FailureDescription>> = {
  session_expired: { type: 'unknown_connect_session_token' },
  integration_unavailable: { type: 'unknown_provider_config', description: 'The integration was deleted meanwhile.' },
  provider_denied: { type: 'connection_test_failed', description: 'The user did not allow access at the provider.' },
  provider_error: { type: 'connection_test_failed', description: 'The provider reported a problem.' },
  foreign_response: {
    type: 'connection_test_failed',
    description: 'The authorization response names another issuer than the one expected; see `integration_config.issuer`.',
  },
  // These two are shown to people only.
  already_connected: { type: 'conflict' },
  still_running: { type: 'provider_unavailable' },
  state_mismatch: { type: 'conflict', description: 'The chosen connection ID was taken meanwhile.' },
  token_exchange_failed: { type: 'connection_test_failed', description: 'The provider accepted the user but gave no token.' },
  connection_refused: { type: 'connection_validation_failed', description: 'The validation script did not accept it.' },
  credentials_rejected: { type: 'connection_test_failed', description: 'The provider refused the new credentials.' },
  provider_unreachable: { type: 'provider_unavailable', description: 'The provider could not be reached.' },
  server_error: { type: 'server_error' },
};

/**
 * Tells the application of an authorization that failed after its user had done their part. Not of one that came too late, when
 * its session had ended: its end was reported then. When this fails itself only the process log says so, since what the user
 * is to read is the failure before.
 */
export async function sendFailureEvent(deps: AuthorizationDeps, attempt: AuthorizationAttempt, cause: unknown): Promise<void> {
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
  return { type, description: described.description ?? ERROR_MEANINGS[type].meaning };
}

/** What the connection has, or would have got, from its session. */
function subjectOf({ session, integration, provider, known }: AuthorizationAttempt): Omit<AuthEvent, 'success'> {
  const { tags, endUser, webhookUrlOverride } = { ...(known ?? session), ...changeBySession(session) };
  return {
    environmentId: session.environmentId,
    operation: known === undefined ? 'creation' : 'override',
    connectionId: known?.connectionId,
    providerConfigKey: integration.uniqueKey,
    provider: provider.slug,
    authMode: provider.definition.auth_mode,
    tags,
    endUser,
    webhookUrlOverride,
  };
}
