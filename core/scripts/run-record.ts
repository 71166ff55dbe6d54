import type { LogLine, ScriptOutcome } from '../../scripts-runtime/script-run.ts';
import { describeDatabaseFault } from '../db/database-fault.ts';
import type { Activity } from '../journal/operation-log/activity.ts';
import { parseJson } from '../kit/exact-json.ts';
import type { ScriptDeps } from './deps.ts';
import type { ScriptEvent } from './event.ts';
import type { Hide } from './run-secrets.ts';
import { insertRun } from './run-store.ts';
import type { ActiveScript } from './script-store.ts';
import type { RunSubject } from './subject.ts';

/** Maximum number of lines of a run in the operation log. */
const MAX_LINES = 40;

interface EndedRun {
  readonly script: ActiveScript;
  readonly event: ScriptEvent;
  readonly subject: RunSubject;
  readonly outcome: ScriptOutcome;
  readonly hide: Hide;
}

/**
 * Returns why the run did not complete. A validation script that throws a `ScriptError` has refused the connection, which is not
 * a failure of the script.
 */
export function causeOf({ event, outcome }: Pick<EndedRun, 'event' | 'outcome'>): ScriptOutcome['cause'] | 'refused' {
  const { cause, error } = outcome;
  const isRefusal = event === 'validate-connection' && cause === 'script_error' && error?.name === 'ScriptError';
  return isRefusal ? 'refused' : cause;
}

/**
 * Stores a run under the ID that it has in the operation log. Never rejects: the script has run, even if its record could not
 * be stored.
 */
export async function recordRun(deps: ScriptDeps, run: EndedRun): Promise<void> {
  const { script, subject, outcome } = run;
  const { environmentId, connectionId } = subject.connection;
  const log = linesOf(run);
  const startedAt = new Date(deps.clock.now().getTime() - outcome.durationMs);
  const id = noteRun(deps, run, { log });
  const { status, durationMs, memoryMb } = outcome;
  const cause = causeOf(run);
  deps.counters.scriptRun(run.event, cause ?? status);
  const { scriptId, version } = script;
  const row = { id, scriptId, version, environmentId, connectionId, status, cause, startedAt, durationMs, memoryMb, log };
  try {
    await insertRun(deps.db, row);
  } catch (error) {
    const isAway = describeDatabaseFault(error) !== undefined;
    deps.log[isAway ? 'warn' : 'error']('a script run could not be stored', { runId: id, error });
  }
}

interface Noted {
  readonly log: readonly LogLine[];
  /** True when the run is a test, which is not stored as a run. */
  readonly isTest?: boolean;
}

/** Logs a run in the operation log. @returns the ID of the operation */
export function noteRun(deps: { readonly activity: Activity }, run: EndedRun, { log, isTest = false }: Noted): string {
  const { event, subject, outcome, script } = run;
  const { environmentId, connectionId, providerConfigKey } = subject.connection;
  const { status, durationMs, waitedMs, memoryMb } = outcome;
  const cause = causeOf(run);
  const sinceMs = durationMs + waitedMs;
  const operation = deps.activity.begin({
    type: 'script',
    operation: event,
    environmentId,
    connectionId,
    providerConfigKey,
    sinceMs,
  });
  for (const { level, message, facts } of log.slice(0, MAX_LINES))
    operation.note(level === 'debug' ? 'info' : level, message, facts === undefined ? {} : { facts });
  const isRefusal = cause === 'refused';
  const isDone = status === 'done' || isRefusal;
  const numbers = { version: script.version, durationMs: Math.round(durationMs), memoryMb: Math.round(memoryMb * 10) / 10 };
  const which = isTest ? { isTest } : { runId: operation.id };
  const facts = { ...which, ...numbers, ...(cause !== undefined && { cause }) };
  operation.note(isDone ? 'info' : 'error', endOf(isDone, isRefusal), facts);
  const errorCode = isDone ? undefined : (cause ?? status);
  const word = isRefusal ? 'refused' : (errorCode ?? 'done');
  operation.describe({ summary: `${event}: ${word} in ${Math.round(durationMs)} ms`, errorCode });
  operation.end(isDone ? 'success' : 'failure');
  return operation.id;
}

function endOf(isDone: boolean, isRefusal: boolean): string {
  if (isRefusal) return 'the script refused the connection';
  return isDone ? 'the script has ended' : 'the script failed';
}

/** Returns the log of the script, then its error, without secrets. */
export function linesOf({ outcome, hide }: EndedRun): LogLine[] {
  const { error, durationMs, log } = outcome;
  const lines = log.map(({ at, level, message, facts }) => {
    return { at, level, message: hide(message), ...(facts !== undefined && { facts: hiddenFacts(facts, hide) }) };
  });
  if (error === undefined) return lines;
  // A field `code` would be redacted like an authorization code.
  const { name, message, code, ...rest } = error;
  const place = { ...(code !== undefined && { errorCode: code }), ...rest };
  const last = { at: Math.round(durationMs), level: 'error' as const, message: hide(`${name}: ${message}`) };
  return [...lines, { ...last, ...(Object.keys(place).length > 0 && { facts: hiddenFacts(place, hide) }) }];
}

function hiddenFacts(facts: unknown, hide: Hide): unknown {
  const text = JSON.stringify(facts);
  const hidden = hide(text);
  // Secrets are inside strings, but a number or a name may look like one; replacing it may make the JSON invalid.
  try {
    return hidden === text ? facts : parseJson(hidden);
  } catch {
    return '[redacted]';
  }
}
