import { ForeignResponse, InstallationRefused, TokenFailure } from '../../auth-modes/auth-mode.ts';
import { ServiceError } from '../../errors.ts';
import type { Operation } from '../../journal/operation-log/activity.ts';
import type { OperationOutcome } from '../../journal/operation-log/operation-row.ts';
import { OutboundError } from '../../kit/outbound.ts';
import { FlowFailure, type FlowFailureCode } from './flow-failure.ts';

/** The cause of a failure: the catalogue does not have the integration's provider. */
export class MissingProvider extends Error {
  override readonly name = 'MissingProvider';

  constructor(slug: string) {
    super(`the catalogue has no provider "${slug}"`);
  }
}

/** Ends the operation of an authorization that connected nothing. The entry contains no text from a provider. */
export function recordFailure(operation: Operation, cause: unknown): FlowFailureCode {
  const failure = failureCode(cause);
  if (failure === 'cancelled') {
    operation.note(
      'info',
      'the flow was cancelled or replaced meanwhile, or given up after its lease expired; nothing was connected',
    );
    operation.end('cancelled');
    return failure;
  }
  operation.note('error', FAILED, { failure, ...reasonOf(cause) });
  operation.describe(outcomeOf(cause, failure));
  operation.end('failure');
  return failure;
}

const FAILED = 'the authorization failed';
const BEFORE_PROVIDER: Readonly<Partial<Record<FlowFailureCode, string>>> = {
  session_expired: 'the connect session has ended',
  integration_unavailable: 'the integration has been deleted',
  connection_deleted: 'the connection has been deleted',
};

/** Returns the outcome with the code that the caller or the user interface receives. */
function outcomeOf(cause: unknown, failure: FlowFailureCode): OperationOutcome {
  if (cause instanceof TokenFailure) return { summary: cause.summary, httpStatus: cause.status, errorCode: failure };
  if (cause instanceof ServiceError) return { summary: cause.message, errorCode: cause.code };
  if (cause instanceof FlowFailure && cause.cause instanceof MissingProvider)
    return { summary: cause.cause.message, errorCode: failure };
  return { summary: BEFORE_PROVIDER[failure] ?? FAILED, errorCode: failure };
}

export function failureCode(cause: unknown): FlowFailureCode {
  if (cause instanceof FlowFailure) return cause.code;
  if (cause instanceof ForeignResponse) return 'foreign_response';
  if (cause instanceof InstallationRefused) return cause.reason === 'requested' ? 'approval_pending' : 'foreign_installation';
  if (cause instanceof TokenFailure) return tokenFailureCode(cause);
  return cause instanceof ServiceError ? (BY_ERROR_CODE[cause.code] ?? 'server_error') : 'server_error';
}

const BY_ERROR_CODE: Readonly<Partial<Record<ServiceError['code'], FlowFailureCode>>> = {
  connection_test_failed: 'credentials_rejected',
  connection_validation_failed: 'connection_refused',
  provider_unavailable: 'provider_unreachable',
  unknown_connect_session_token: 'session_expired',
  conflict: 'state_mismatch',
  wrong_account: 'wrong_account',
  unknown_provider_config: 'integration_unavailable',
  unknown_connection: 'connection_deleted',
};

/**
 * Returns the code of a failed token request. Status 0 means that there was no response from the provider, or no request because of
 * the callback's parameters or our settings.
 */
function tokenFailureCode(failure: TokenFailure): FlowFailureCode {
  const { kind, status, providerCode } = failure;
  if (providerCode === 'access_denied') return 'provider_denied';
  if (status === 0 && isUnanswered(failure)) return 'provider_unreachable';
  if (status === 0) return kind === 'transient' ? 'server_error' : 'provider_error';
  return status >= 500 || status === 429 ? 'provider_unreachable' : 'token_exchange_failed';
}

/** Returns whether the provider was called but did not respond; otherwise no request could be sent. */
function isUnanswered({ kind, cause }: TokenFailure): boolean {
  if (kind === 'unknown') return true;
  if (cause instanceof TokenFailure) return isUnanswered(cause);
  return cause instanceof OutboundError && cause.code !== 'address_not_allowed' && kind === 'transient';
}

function reasonOf(cause: unknown): Record<string, unknown> {
  if (cause instanceof TokenFailure)
    return { reason: cause.message, status: cause.status, providerError: cause.providerCode ?? null };
  return cause instanceof ServiceError ? { reason: cause.message } : {};
}

/**
 * Returns the message for users of a `PluginError` or a script's rejection. The error is recognized by name, since errors of hooks
 * arrive as copies without their tokens.
 */
export function userMessage(cause: unknown): string | undefined {
  if (cause instanceof ServiceError && cause.code === 'connection_validation_failed') return cause.message;
  if (!(cause instanceof ServiceError && cause.cause instanceof Error)) return undefined;
  return cause.cause.name === 'PluginError' ? cause.message : undefined;
}
