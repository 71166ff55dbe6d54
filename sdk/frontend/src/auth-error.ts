/** The reason why a connection was not created. The service may add codes: treat one that you do not know like `server_error`. */
export type AuthErrorCode =
  | 'session_missing'
  | 'session_expired'
  | 'session_used'
  | 'origin_not_allowed'
  | 'integration_unavailable'
  | 'connection_deleted'
  | 'popup_blocked'
  | 'flow_cancelled'
  | 'choice_required'
  | 'provider_denied'
  | 'provider_error'
  | 'state_mismatch'
  | 'token_exchange_failed'
  | 'account_not_permitted'
  | 'account_refused'
  | 'approval_pending'
  | 'credentials_rejected'
  | 'provider_unreachable'
  | 'field_invalid'
  | 'preset_invalid'
  | 'wrong_account'
  | 'connection_limit'
  | 'rate_limited'
  | 'offline'
  | 'server_error'
  | (string & {});

/** A fault in one value of `params` or `credentials`. */
export interface FieldError {
  readonly path: readonly (string | number)[];
  readonly code: string;
  readonly message: string;
}

export interface AuthErrorOptions extends ErrorOptions {
  readonly fields?: readonly FieldError[] | undefined;
  /** The ID of the attempt in the service's operation log, under the name that the service uses. */
  readonly log_id?: string | null;
}

/** Matches codes of failures that the same user cannot avoid by another attempt with the same session. */
const FINAL = /^(session|origin|integration|preset|connection|choice|approval)_/;

/** The error for a connection that was not created. Match on `code`: `message` is meant for logs, or quotes the provider. */
export class AuthError extends Error {
  override readonly name = 'AuthError';
  declare readonly code: AuthErrorCode;
  /** One entry for each wrong value, with the code `field_invalid` or `credentials_rejected`. */
  declare readonly fields: readonly FieldError[];
  /** Identifies the attempt in the service's operation log. */
  declare readonly logId: string | null;
  /** True if it makes sense to offer "Try again". */
  declare readonly retryable: boolean;

  constructor(code: AuthErrorCode, message?: string | null, { fields = [], log_id: logId = null, cause }: AuthErrorOptions = {}) {
    super(message || code, { cause });
    Object.assign(this, { code, fields, logId, retryable: !FINAL.test(code) });
  }
}
