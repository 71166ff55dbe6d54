import type { Audience } from '../connect-sessions/session-record.ts';
import type { AuthWarning } from '../webhook-delivery/auth-message.ts';
import { FlowFailure, type FlowFailureCode } from './flow-failure.ts';

/** A connection was created or reauthorized: the content of the result page. */
export interface Connected {
  /** The integration's display name. */
  readonly name: string;
  readonly audience: Audience;
  readonly warning?: AuthWarning['type'];
  /** Nothing is stored yet: the user has to choose in the window where the flow began. */
  readonly isChoosing?: true;
}

/** The outcome of an authorization, as stored in its flow row. */
export interface FlowOutcome {
  /** Absent: connected. */
  readonly failure?: FlowFailureCode;
  readonly name: string;
  readonly audience: Audience | null;
  readonly reason?: string;
  readonly logId?: string;
  /** Of a successful authorization. */
  readonly warning?: AuthWarning['type'];
}

export function outcomeOfFailure({ code, subject, audience, reason, logId }: FlowFailure): FlowOutcome {
  return {
    failure: code,
    name: subject,
    audience: audience ?? null,
    ...(reason !== undefined && { reason }),
    ...(logId !== undefined && { logId }),
  };
}

/** The same result as for the first request. @throws FlowFailure */
export function repeatOutcome({ failure, name, audience, reason, logId, warning }: FlowOutcome): Connected {
  const nobody = { displayName: null, email: null };
  if (failure === undefined) return { name, audience: audience ?? nobody, ...(warning !== undefined && { warning }) };
  throw new FlowFailure(failure, { subject: name, audience: audience ?? nobody, reason, logId });
}
