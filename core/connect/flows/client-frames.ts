import { type ErrorCode, ServiceError } from '../../errors.ts';
import { FlowFailure, type FlowFailureCode } from './flow-failure.ts';
import type { FlowOutcome } from './flow-outcome.ts';

/**
 * A frame that tells the client of an existing frontend (`ClientChannels`) about its authorization. Names and types of errors are
 * the ones that it knows.
 */
export type ClientFrame =
  | { readonly message_type: 'connection_ack'; readonly ws_client_id: string }
  | {
      readonly message_type: 'success';
      readonly provider_config_key: string;
      readonly connection_id: string;
      readonly is_pending: boolean;
    }
  | {
      readonly message_type: 'error';
      readonly provider_config_key: string;
      readonly error_type: string;
      readonly error_desc: string;
    };

/**
 * Maximum lengths, in characters, of texts that the caller may have chosen, since frames may be sent as notices, whose size is
 * limited.
 */
const MAX_KEY = 255;
const MAX_DESCRIPTION = 1_000;

const UNKNOWN = 'unknown_err';

const BY_FAILURE: Readonly<Partial<Record<FlowFailureCode, string>>> = {
  integration_unavailable: 'provider_config_err',
  connection_deleted: 'connection_not_found',
  provider_denied: 'callback_err',
  provider_error: 'callback_err',
  foreign_response: 'callback_err',
  state_mismatch: 'state_err',
  connection_refused: 'connection_validation_failed',
};

const BY_ERROR: Readonly<Partial<Record<ErrorCode, string>>> = {
  unknown_provider_config: 'provider_config_err',
  missing_client_id: 'provider_config_err',
  invalid_auth_mode: 'auth_mode_err',
  invalid_query_params: 'url_param_err',
  unknown_connection: 'connection_not_found',
  missing_hmac: 'missing_hmac',
  invalid_hmac: 'invalid_hmac',
};

/** Returns the frame that says how an authorization has ended. */
export function outcomeFrame(uniqueKey: string, { failure, name, reason, connectionId }: FlowOutcome): ClientFrame {
  if (failure === undefined)
    return { message_type: 'success', provider_config_key: uniqueKey, connection_id: connectionId ?? '', is_pending: false };
  const { text } = new FlowFailure(failure, { subject: name });
  return errorFrame(uniqueKey, failureType(failure), [text, reason].filter((part) => part !== undefined).join(' '));
}

/** Returns the type by which the client knows a failure. */
export function failureType(code: FlowFailureCode): string {
  return BY_FAILURE[code] ?? UNKNOWN;
}

/** Returns the frame that says why an authorization could not begin. */
export function refusalFrame(uniqueKey: string, cause: unknown): ClientFrame {
  const error = cause instanceof ServiceError ? cause : new ServiceError('server_error', 'the service failed on this request');
  return errorFrame(uniqueKey.slice(0, MAX_KEY), BY_ERROR[error.code] ?? UNKNOWN, error.message.slice(0, MAX_DESCRIPTION));
}

function errorFrame(uniqueKey: string, type: string, description: string): ClientFrame {
  return { message_type: 'error', provider_config_key: uniqueKey, error_type: type, error_desc: description };
}
