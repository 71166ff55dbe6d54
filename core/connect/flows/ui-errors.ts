import { type ErrorCode, ServiceError } from '../../errors.ts';
import { FlowFailure, type FlowFailureCode } from './flow-failure.ts';

/** The reasons why a flow failed, as codes for which user interfaces have texts. */
export const UI_ERROR_CODES = [
  'session_expired',
  'session_used',
  'integration_unavailable',
  'connection_deleted',
  'flow_cancelled',
  'provider_denied',
  'provider_error',
  'state_mismatch',
  'token_exchange_failed',
  'account_not_permitted',
  'approval_pending',
  'account_refused',
  'credentials_rejected',
  'provider_unreachable',
  'field_invalid',
  'preset_invalid',
  'wrong_account',
  'rate_limited',
  'server_error',
] as const;
export type UiErrorCode = (typeof UI_ERROR_CODES)[number];

const BY_FAILURE: Readonly<Record<FlowFailureCode, UiErrorCode>> = {
  // A flow may end successfully after its session has expired, but not after another flow of the session has connected. A flow
  // that fails with `session_expired` therefore means that the session was used, or deleted: `GET /connect/session` says which.
  session_expired: 'session_used',
  integration_unavailable: 'integration_unavailable',
  connection_deleted: 'connection_deleted',
  provider_denied: 'provider_denied',
  provider_error: 'provider_error',
  foreign_response: 'provider_error',
  approval_pending: 'approval_pending',
  foreign_installation: 'account_not_permitted',
  not_begun_here: 'state_mismatch',
  state_mismatch: 'state_mismatch',
  cancelled: 'flow_cancelled',
  already_connected: 'session_used',
  still_running: 'server_error',
  token_exchange_failed: 'token_exchange_failed',
  connection_refused: 'account_refused',
  credentials_rejected: 'credentials_rejected',
  wrong_account: 'wrong_account',
  provider_unreachable: 'provider_unreachable',
  server_error: 'server_error',
};

/**
 * The codes for errors that kept a flow from beginning or rejected the entered values. Errors that do neither count as
 * `server_error`.
 */
const BY_ERROR: Readonly<Record<ErrorCode, UiErrorCode>> = {
  invalid_body: 'field_invalid',
  invalid_query_params: 'field_invalid',
  payload_too_large: 'field_invalid',
  unknown_connect_session_token: 'session_used',
  integration_not_allowed: 'integration_unavailable',
  unknown_provider_config: 'integration_unavailable',
  unknown_connection: 'connection_deleted',
  invalid_auth_mode: 'integration_unavailable',
  missing_client_id: 'integration_unavailable',
  missing_api_url: 'integration_unavailable',
  address_not_allowed: 'integration_unavailable',
  base_url_override_not_allowed: 'integration_unavailable',
  connection_test_failed: 'credentials_rejected',
  connection_validation_failed: 'account_refused',
  invalid_credentials: 'credentials_rejected',
  provider_unavailable: 'provider_unreachable',
  provider_unreachable: 'provider_unreachable',
  provider_timeout: 'provider_unreachable',
  wrong_account: 'wrong_account',
  conflict: 'state_mismatch',
  too_many_request: 'rate_limited',
  signed_out: 'server_error',
  invalid_login: 'server_error',
  password_needed: 'server_error',
  factor_needed: 'server_error',
  invalid_json: 'server_error',
  invalid_uri_params: 'server_error',
  invalid_headers: 'server_error',
  missing_hmac: 'server_error',
  invalid_hmac: 'server_error',
  webhook_invalid_payload: 'server_error',
  missing_auth_header: 'server_error',
  malformed_auth_header: 'server_error',
  unknown_account: 'server_error',
  webhook_missing_signature: 'server_error',
  webhook_invalid_signature: 'server_error',
  deprecated_authentication: 'server_error',
  forbidden: 'integration_unavailable',
  not_found: 'integration_unavailable',
  method_not_allowed: 'server_error',
  request_timeout: 'server_error',
  idempotency_mismatch: 'server_error',
  uri_too_long: 'server_error',
  invalid_content_type: 'server_error',
  headers_too_large: 'server_error',
  server_error: 'server_error',
  draining: 'server_error',
  overloaded: 'server_error',
  storage_unavailable: 'server_error',
  storage_full: 'server_error',
};

/** Returns the code that user interfaces receive for a failure of a flow. */
export function uiErrorCode(cause: unknown): UiErrorCode {
  if (cause instanceof FlowFailure) return BY_FAILURE[cause.code];
  return cause instanceof ServiceError ? BY_ERROR[cause.code] : 'server_error';
}

/** Returns the code for a failed flow of which only the code of its failure is stored. */
export function uiErrorCodeOf(failure: FlowFailureCode): UiErrorCode {
  return BY_FAILURE[failure];
}
