import { newTimedId } from '../../kit/random-id.ts';
import { safeText } from '../../kit/redact.ts';
import { type Actor, currentActor, currentRequestId } from './actor.ts';
import type { OperationLogRow } from './operation-log-row.ts';
import { termsOf } from './terms.ts';

/** Maximum number of characters of the IDs, keys and names in a row; valid ones are never longer. */
const MAX_NAME = 255;
const MAX_SUMMARY = 300;

export interface OperationStart {
  readonly type: 'auth' | 'refresh' | 'proxy' | 'deletion' | 'webhook' | 'script' | 'admin';
  readonly operation: string;
  readonly environmentId: number;
  readonly connectionId?: string | undefined;
  readonly providerConfigKey?: string | undefined;
  /** Milliseconds that the operation has already taken. Default: 0. */
  readonly sinceMs?: number;
  /** Default: the actor whose request is being served. */
  readonly actor?: Actor;
}

/** How an operation ended. `retrying`: it failed, and will be repeated automatically. */
export type OperationStatus = 'success' | 'failure' | 'retrying' | 'cancelled';

/** The outcome of an operation, as lists show it. */
export interface OperationOutcome {
  /**
   * One line. Default: the operation's latest message that is not about a call; without one, a text for its type and operation.
   * Never text of a provider, nor anything secret.
   */
  readonly summary?: string | undefined;
  /** The HTTP status with which the provider or the application responded. */
  readonly httpStatus?: number | undefined;
  readonly errorCode?: string | undefined;
}

export interface Message {
  readonly at: string;
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

export type NewOperation = Omit<OperationLogRow, 'written_by'>;

/** The columns that are known when an operation begins. */
type BegunOperation = Omit<NewOperation, 'status' | 'summary' | 'http_status' | 'error_code' | 'ended_at' | 'terms'>;

export function begunRow(start: OperationStart, { messages, now }: { messages: readonly Message[]; now: Date }): BegunOperation {
  const { kind, id, name } = start.actor ?? currentActor();
  return {
    id: newTimedId(now),
    environment_id: start.environmentId,
    type: start.type,
    // The caller sends this value, and may by mistake have sent an API key, which `safeText` removes.
    operation: safeText(start.operation, MAX_NAME),
    connection_id: safeText(start.connectionId ?? '', MAX_NAME) || null,
    provider_config_key: safeText(start.providerConfigKey ?? '', MAX_NAME) || null,
    actor_kind: kind,
    actor_id: id === undefined ? null : safeText(id, MAX_NAME),
    actor_name: name === undefined ? null : safeText(name, MAX_NAME),
    request_id: currentRequestId() ?? null,
    created_at: now,
    messages,
  };
}

/** The summary of a success without a message, by type and operation. */
const DONE: Readonly<Record<string, string>> = {
  'auth creation': 'an account was connected',
  'auth override': 'the account was connected again',
  'refresh refresh': 'the credentials were refreshed',
  'refresh verification': 'the credentials were verified',
  'deletion deletion': 'the connection was deleted',
};

interface End extends OperationOutcome {
  readonly status: OperationStatus;
  readonly at: Date;
}

export function endedRow(begun: BegunOperation, { status, at, summary, httpStatus, errorCode }: End): NewOperation {
  // A call is only a step of the operation; other messages say how it ended.
  const latest = (begun.messages as readonly Message[]).findLast(({ facts }) => !Object.hasOwn(facts, 'call'));
  const done = status === 'success' ? DONE[`${begun.type} ${begun.operation}`] : undefined;
  const row = {
    ...begun,
    status,
    summary: safeText(summary ?? latest?.message ?? done ?? begun.operation, MAX_SUMMARY),
    // A status has three digits, but a provider may send any number.
    http_status: httpStatus !== undefined && httpStatus >= 100 && httpStatus <= 999 ? httpStatus : null,
    error_code: errorCode === undefined ? null : safeText(errorCode, MAX_NAME),
    ended_at: at,
  };
  return { ...row, terms: termsOf(row) };
}
