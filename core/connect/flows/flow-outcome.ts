import type { Audience } from '../../connections/connect-sessions/session-record.ts';
import { ServiceError } from '../../errors.ts';
import type { AuthWarning } from '../../webhook-delivery/auth-message.ts';
import { FlowFailure, type FlowFailureCode } from './flow-failure.ts';
import type { FlowMode } from './flow-state.ts';
import { type UiErrorCode, uiErrorCode } from './ui-errors.ts';

/** A connection was created or reauthorized: the content of the result page. */
export interface Connected {
  /** The integration's display name. */
  readonly name: string;
  readonly audience: Audience;
  readonly warning?: AuthWarning['type'];
  /** Nothing is stored yet: the user has to choose in the window where the flow began. */
  readonly isChoosing?: true;
}

/** What a browser that comes back from the provider is shown, in a page that is for itself, a popup, or the one of the beginning. */
export interface Visited {
  /** Undefined: no user interface has sent it, or which one is unknown. */
  readonly mode: FlowMode | undefined;
  /** Undefined: unknown. */
  readonly environmentId?: number;
  readonly result: Connected | FlowFailure;
}

/** What is wrong with one value of a form. */
export interface FieldError {
  readonly path: readonly [form: 'params' | 'credentials', name: string];
  readonly code: string;
  readonly message: string;
}

/** What a user interface is told of a failure besides its words. */
interface UiError {
  readonly code: UiErrorCode;
  readonly fields?: readonly FieldError[];
  /** Seconds. */
  readonly retryAfter?: number;
}

/** The outcome of an authorization, as stored in its flow row. */
export interface FlowOutcome {
  /** Absent: connected. */
  readonly failure?: FlowFailureCode;
  readonly name: string;
  readonly audience: Audience | null;
  readonly reason?: string;
  readonly logId?: string;
  /** Absent: that of `failure`. */
  readonly error?: UiError;
  /** Of a successful authorization, like the next one. */
  readonly warning?: AuthWarning['type'];
  readonly connectionId?: string;
}

/** @param error default: what follows from the failure */
export function outcomeOfFailure(failure: FlowFailure, error: UiError = uiErrorOf(failure)): FlowOutcome {
  const { code, subject, audience, reason, logId } = failure;
  return {
    failure: code,
    name: subject,
    audience: audience ?? null,
    error,
    ...(reason !== undefined && { reason }),
    ...(logId !== undefined && { logId }),
  };
}

function uiErrorOf(failure: FlowFailure): UiError {
  const { cause } = failure;
  const retryAfter = cause instanceof ServiceError ? cause.retryAfterSeconds : undefined;
  return { code: uiErrorCode(failure), ...(retryAfter !== undefined && { retryAfter }) };
}

/** The same result as for the first request. @throws FlowFailure */
export function repeatOutcome({ failure, name, audience, reason, logId, warning }: FlowOutcome): Connected {
  const nobody = { displayName: null, email: null };
  if (failure === undefined) return { name, audience: audience ?? nobody, ...(warning !== undefined && { warning }) };
  throw new FlowFailure(failure, { subject: name, audience: audience ?? nobody, reason, logId });
}
