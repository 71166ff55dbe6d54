import type { RunLimits } from './limits.ts';
import type { Entry, FaultCause, ScriptFault } from './protocol.ts';

/**
 * What a script may ask of the service, chosen by whoever starts the run: the functions act for that run's own connection,
 * whatever the arguments say. They take and return plain data (JSON).
 *
 * What they throw reaches the script as `code` and `message` only when it is a `ScriptCallError`; anything else as a bare
 * `internal_error`. The signal ends with the run, so that nothing goes on for a script that is dead.
 */
export type HostFunction = (args: readonly unknown[], signal: AbortSignal) => Promise<unknown>;

export interface ScriptRun {
  /** Runs of one key share the pool's turns, and never a process with another key at the same time. */
  readonly environmentKey: string;
  /** An ES module in JavaScript, without imports. */
  readonly source: string;
  /** The export to call; `webhookSubscriptions` is read, not called. */
  readonly entry: Entry;
  /** Members of `svc` that are data: `connectionId`, `providerConfigKey`. */
  readonly facts: Readonly<Record<string, string>>;
  /** What the export is called with after `svc`; plain data. */
  readonly args: readonly unknown[];
  readonly hostFunctions: Readonly<Record<string, HostFunction>>;
  readonly limits?: Partial<RunLimits>;
  /** Milliseconds in the queue after which it is not begun any more. Default: as long as it takes. */
  readonly maxWaitMs?: number;
  /**
   * Ends the run, or takes it out of the queue. One that timed out (`TimeoutError`) ends it as `timeout` or `timeout_waiting`,
   * any other as `cancelled`.
   */
  readonly signal?: AbortSignal;
}

/** The run was ended from outside, and its process with it. */
export const KILLS = [
  'timeout',
  'memory',
  'result_too_large',
  'call_too_large',
  'too_many_calls',
  'too_many_messages',
  'crashed',
  'cancelled',
] as const;
export type Kill = (typeof KILLS)[number];

/** Why a run did not do what it should. The last four never started. */
export type Cause = Kill | Exclude<FaultCause, Kill> | 'timeout_waiting' | 'queue_full' | 'unavailable' | 'closed';

export interface LogLine {
  /** Milliseconds since the start of the run. */
  readonly at: number;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly facts?: unknown;
}

export interface ScriptOutcome {
  readonly status: 'done' | 'failed' | 'killed';
  /** Plain data; absent when the script returned nothing. */
  readonly result?: unknown;
  readonly cause?: Cause;
  /** What the script threw, for its author. Only of a `ScriptError` is the message meant for end users. */
  readonly error?: ScriptFault;
  /** From the start of its isolate to its end, without the time in the queue. */
  readonly durationMs: number;
  readonly waitedMs: number;
  /** The largest growth of the process's memory that was seen. */
  readonly memoryMb: number;
  readonly log: readonly LogLine[];
}

/** An error that a script may read: a stable code, and a text without paths, statements, addresses or secrets. */
export class ScriptCallError extends Error {
  readonly code: string;
  readonly status: number | undefined;

  constructor(code: string, message: string, options: { readonly status?: number; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = options.status;
  }
}
