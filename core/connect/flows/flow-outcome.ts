import type { Audience } from '../../connections/connect-sessions/session-record.ts';
import { ServiceError } from '../../errors.ts';
import type { AuthWarning } from '../../webhook-delivery/auth-message.ts';
import { FlowFailure, type FlowFailureCode } from './flow-failure.ts';
import type { FlowMode } from './flow-state.ts';
import { type UiErrorCode, uiErrorCode } from './ui-errors.ts';

/** The content of the result page after a connection was created or reauthorized. */
export interface Connected {
  /** The integration's display name. */
  readonly name: string;
  readonly audience: Audience;
  readonly warning?: AuthWarning['type'];
  /** True if nothing is stored yet: the user has to choose in the window where the flow began. */
  readonly isChoosing?: true;
}

/**
 * The result that a browser is shown when it comes back from the provider: on a page in a tab or popup, or by the page where the
 * flow began.
 */
export interface Visited {
  /** The mode of the flow; undefined if no user interface began it, or if that is unknown. */
  readonly mode: FlowMode | undefined;
  /** The environment; undefined if unknown. */
  readonly environmentId?: number;
  readonly result: Connected | FlowFailure;
}

/** A fault of one value of a form. */
export interface FieldError {
  readonly path: readonly [form: 'params' | 'credentials', name: string];
  readonly code: string;
  readonly message: string;
}

/** The details of a failure that a user interface receives in addition to its text. */
interface UiError {
  readonly code: UiErrorCode;
  readonly fields?: readonly FieldError[];
  /** When to try again, in seconds. */
  readonly retryAfter?: number;
}

/** The outcome of an authorization, as stored in its flow row. */
export interface FlowOutcome {
  /** The code of the failure; absent if the flow has connected. */
  readonly failure?: FlowFailureCode;
  readonly name: string;
  readonly audience: Audience | null;
  /** Set if an existing connection was to be authorized again. */
  readonly isReconnect?: true;
  readonly reason?: string;
  readonly logId?: string;
  /** The error for user interfaces; absent: it follows from `failure`. */
  readonly error?: UiError;
  /** The warning of a successful authorization; only such an outcome has this and the next field. */
  readonly warning?: AuthWarning['type'];
  readonly connectionId?: string;
}

/** Returns the outcome of a failed flow. @param error Default: the error that follows from the failure */
export function outcomeOfFailure(failure: FlowFailure, error: UiError = uiErrorOf(failure)): FlowOutcome {
  const { code, subject, audience, isReconnect, reason, logId } = failure;
  return {
    failure: code,
    name: subject,
    audience: audience ?? null,
    error,
    ...(isReconnect && { isReconnect }),
    ...(reason !== undefined && { reason }),
    ...(logId !== undefined && { logId }),
  };
}

function uiErrorOf(failure: FlowFailure): UiError {
  const { cause } = failure;
  const retryAfter = cause instanceof ServiceError ? cause.retryAfterSeconds : undefined;
  return { code: uiErrorCode(failure), ...(retryAfter !== undefined && { retryAfter }) };
}

/** Returns, for a later request, the result that the flow's first one had. @throws FlowFailure if that was a failure */
export function repeatOutcome({ failure, name, audience, isReconnect, reason, logId, warning }: FlowOutcome): Connected {
  const nobody = { displayName: null, email: null };
  if (failure === undefined) return { name, audience: audience ?? nobody, ...(warning !== undefined && { warning }) };
  throw new FlowFailure(failure, { subject: name, audience: audience ?? nobody, isReconnect, reason, logId });
}
