import type { RunLimits } from './limits.ts';
import type { Entry, FaultCause, ScriptFault } from './protocol.ts';

/**
 * A function of the service for scripts. The creator of the run provides it, and it acts for that run's connection, whatever the
 * arguments. Arguments and results are plain data (JSON).
 *
 * The script sees `code` and `message` of a `ScriptCallError`; any other error as `internal_error`. The signal aborts at the end
 * of the run.
 */
export type HostFunction = (args: readonly unknown[], signal: AbortSignal) => Promise<unknown>;

export interface ScriptRun {
  /** Runs with the same key share one turn in the queue, so that many of them do not delay those of other environments. */
  readonly environmentKey: string;
  /** An ES module in JavaScript, without imports. */
  readonly source: string;
  /** The export to call; `webhookSubscriptions` is read, not called. */
  readonly entry: Entry;
  /** Data fields of `svc`: `connectionId`, `providerConfigKey`. */
  readonly facts: Readonly<Record<string, string>>;
  /** Arguments of the export after `svc`; plain data. */
  readonly args: readonly unknown[];
  readonly hostFunctions: Readonly<Record<string, HostFunction>>;
  readonly limits?: Partial<RunLimits>;
  /** Maximum milliseconds in the queue. Default: unlimited. */
  readonly maxWaitMs?: number;
  /**
   * Ends the run, or removes it from the queue. A `TimeoutError` ends it as `timeout` or `timeout_waiting`, any other reason as
   * `cancelled`.
   */
  readonly signal?: AbortSignal;
}

/** Causes of runs that ended together with their process, which was killed or crashed. */
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

/** Why a run did not complete. With one of the last four causes, it never started. */
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
  /** The error that the script threw, for its author. Only the message of a `ScriptError` is meant for end users. */
  readonly error?: ScriptFault;
  /** Milliseconds from when the isolate of the run was ready to its end, without the time in the queue. */
  readonly durationMs: number;
  readonly waitedMs: number;
  /** The largest measured growth of the process's memory during the run, in MiB. */
  readonly memoryMb: number;
  readonly log: readonly LogLine[];
}

/** An error for scripts: a stable code, and a message without paths, SQL, addresses or secrets. */
export class ScriptCallError extends Error {
  readonly code: string;
  readonly status: number | undefined;

  constructor(code: string, message: string, options: { readonly status?: number; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = options.status;
  }
}
