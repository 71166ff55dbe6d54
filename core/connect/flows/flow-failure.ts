import type { Audience } from '../../connections/connect-sessions/session-record.ts';

export const UNNAMED = 'The other service';

/**
 * The failures of an authorization, with the messages for end users in English (`api/connect/page-texts/` has the other languages).
 * `{name}` is the integration's display name.
 */
export const FLOW_FAILURES = {
  session_expired: 'This window was used already, or has expired. If nothing is connected, ask for a new link.',
  integration_unavailable: '{name} isn’t available right now.',
  connection_deleted: 'This connection to {name} no longer exists, so nothing was connected.',
  provider_denied: 'You didn’t allow access in {name}, so nothing was connected.',
  provider_error: '{name} reported a problem.',
  foreign_response: 'The response did not come from {name}, so nothing was connected.',
  approval_pending:
    'An owner has to approve {name} first, so nothing is connected yet. Once it is approved, start again where you came from.',
  foreign_installation: 'This installation of {name} is not one of yours, so nothing was connected.',
  not_begun_here: 'Nothing was connected, since this did not begin in an app that uses it. Open that app, and connect there.',
  cancelled: 'This attempt was cancelled or replaced by another one, so nothing was connected.',
  state_mismatch:
    'This attempt is no longer valid, maybe because another one was started. If nothing was connected, start again.',
  already_connected:
    'This attempt is no longer valid, as it has succeeded already: your {name} account is connected. You can close this tab.',
  still_running: 'This takes longer than usual. Reload this page in a moment.',
  token_exchange_failed: '{name} accepted you but refused to finish.',
  connection_refused: 'The connection to {name} was not accepted.',
  credentials_rejected: 'Access to {name} could not be confirmed. Nothing was stored.',
  wrong_account: 'This is a different {name} account from the one connected before, so nothing was changed.',
  provider_unreachable: 'We got no usable response from {name}. Try again in a moment.',
  server_error: 'Something went wrong on our side.',
} as const;

export type FlowFailureCode = keyof typeof FLOW_FAILURES;
export const FLOW_FAILURE_CODES = Object.keys(FLOW_FAILURES) as readonly FlowFailureCode[];

interface FlowFailureFacts {
  /** The integration's display name. */
  readonly subject?: string;
  readonly audience?: Audience;
  /** True if an existing connection was to be authorized again; it is as it was. */
  readonly isReconnect?: boolean | undefined;
  readonly logId?: string | undefined;
  readonly reason?: string | undefined;
  readonly cause?: unknown;
}

/** An authorization that failed. Nothing was stored but the log entry `logId`. */
export class FlowFailure extends Error {
  override readonly name = 'FlowFailure';
  readonly code: FlowFailureCode;
  /** The integration's display name; `UNNAMED` if unknown. */
  readonly subject: string;
  /** The person whose account was to be connected; undefined if unknown. */
  readonly audience: Audience | undefined;
  /** True if an existing connection was to be authorized again. */
  readonly isReconnect: boolean;
  readonly logId: string | undefined;
  /** The message of a plugin or a script, written for users. */
  readonly reason: string | undefined;

  constructor(code: FlowFailureCode, facts: FlowFailureFacts = {}) {
    super(code, { cause: facts.cause });
    this.code = code;
    this.subject = facts.subject ?? UNNAMED;
    this.audience = facts.audience;
    this.isReconnect = facts.isReconnect ?? false;
    this.logId = facts.logId;
    this.reason = facts.reason;
  }

  /** The message for the end user, in English. */
  get text(): string {
    return FLOW_FAILURES[this.code].replaceAll('{name}', () => this.subject);
  }
}
