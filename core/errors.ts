/**
 * HTTP status by error code. The codes are part of the public interface: add freely, never rename. A code is listed only while
 * something throws it.
 */
export const ERROR_STATUS = {
  invalid_json: 400,
  invalid_body: 400,
  invalid_query_params: 400,
  invalid_uri_params: 400,
  invalid_headers: 400,
  connection_test_failed: 400,
  connection_validation_failed: 400,
  invalid_auth_mode: 400,
  integration_not_allowed: 400,
  missing_client_id: 400,
  missing_hmac: 400,
  invalid_hmac: 400,
  missing_api_url: 400,
  address_not_allowed: 400,
  base_url_override_not_allowed: 400,
  webhook_invalid_payload: 400,
  missing_auth_header: 401,
  malformed_auth_header: 401,
  unknown_account: 401,
  unknown_connect_session_token: 401,
  signed_out: 401,
  invalid_login: 401,
  webhook_missing_signature: 401,
  webhook_invalid_signature: 401,
  deprecated_authentication: 401,
  forbidden: 403,
  password_needed: 403,
  factor_needed: 403,
  unknown_connection: 404,
  unknown_provider_config: 404,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  idempotency_mismatch: 409,
  wrong_account: 409,
  payload_too_large: 413,
  uri_too_long: 414,
  invalid_content_type: 415,
  invalid_credentials: 424,
  too_many_request: 429,
  headers_too_large: 431,
  server_error: 500,
  provider_unreachable: 502,
  provider_unavailable: 503,
  draining: 503,
  overloaded: 503,
  storage_unavailable: 503,
  storage_full: 503,
  provider_timeout: 504,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** One entry of `error.errors` in a response. It says which field is wrong, and in what way. */
export interface ErrorDetail {
  readonly code: string;
  readonly message: string;
  readonly path: readonly string[];
}

interface ServiceErrorOptions extends ErrorOptions {
  readonly details?: readonly ErrorDetail[];
  /** Seconds that are sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** For `method_not_allowed`: the methods that are allowed, comma separated, sent as `Allow`. */
  readonly allow?: string;
}

/**
 * A failure that is reported to the caller. Anything else that is thrown is a bug: it is logged, and the caller gets a plain 500.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];
  readonly retryAfterSeconds: number | undefined;
  readonly allow: string | undefined;

  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.details = options.details ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.allow = options.allow;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}
