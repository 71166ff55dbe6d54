import type { ScriptOutcome } from '../../scripts-runtime/script-run.ts';
import { copyWithTexts } from '../kit/exact-json.ts';
import { inSpan, type TraceContext } from '../kit/tracing.ts';
import type { ScriptDeps } from './deps.ts';
import { entryOf, type ScriptEvent } from './event.ts';
import { asScript } from './host-functions/acting-script.ts';
import { hostFunctionsOf } from './host-functions/host-functions.ts';
import { recordRun } from './run-record.ts';
import { hiderOf } from './run-secrets.ts';
import type { ActiveScript } from './script-store.ts';
import type { RunSubject } from './subject.ts';

interface ScriptRunRequest {
  readonly script: ActiveScript;
  readonly event: ScriptEvent;
  readonly subject: RunSubject;
  /** The arguments of the export after `svc`. */
  readonly args?: readonly unknown[];
  /** A timeout shorter than the configured one. */
  readonly timeoutMs?: number;
  /** How long the run may wait in the queue. */
  readonly maxWaitMs?: number;
  /** Ends the run, or removes it from the queue, when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** The context of the trace in which a run was queued. Default: the active span's. */
  readonly traceContext?: TraceContext | null | undefined;
}

/**
 * Runs a script for a connection and records the outcome.
 *
 * @returns the outcome, whose error contains no secret of the connection; failures of the script are not thrown
 */
export function runScript(deps: ScriptDeps, request: ScriptRunRequest): Promise<ScriptOutcome> {
  const { event, subject, traceContext: parent } = request;
  const attributes = { 'svc.provider': subject.connection.provider, 'svc.script.event': event };
  return inSpan(deps.tracer, { name: 'script run', kind: 'internal', attributes, parent }, async (span) => {
    const outcome = await runAndRecord(deps, request);
    if (outcome.status !== 'done') span.fail(outcome.cause ?? outcome.status);
    return outcome;
  });
}

async function runAndRecord(deps: ScriptDeps, request: ScriptRunRequest): Promise<ScriptOutcome> {
  const { script, event, subject, args = [], timeoutMs, maxWaitMs, signal } = request;
  const { connection } = subject;
  const { environmentId, connectionId, providerConfigKey } = connection;
  const notes: string[] = [];
  const variables = new Set<string>();
  const functions = hostFunctionsOf(deps, subject, { notes, variables });
  const ended = await deps.scriptRunner.run({
    environmentId,
    source: script.code,
    entry: entryOf(event),
    facts: { connectionId, providerConfigKey },
    args: args.map(copyWithTexts),
    hostFunctions: asScript(event, subject, functions),
    timeoutMs,
    ...(maxWaitMs !== undefined && { maxWaitMs }),
    ...(signal !== undefined && { signal }),
  });
  const outcome = withNotes(ended, notes);
  const hide = hiderOf(subject, connection, variables);
  await recordRun(deps, { script, event, subject, outcome, hide });
  const { error } = outcome;
  return error === undefined ? outcome : { ...outcome, error: { ...error, message: hide(error.message) } };
}

/** Appends messages of the service to the log of the script. */
function withNotes(outcome: ScriptOutcome, notes: readonly string[]): ScriptOutcome {
  const at = Math.round(outcome.durationMs);
  return { ...outcome, log: [...outcome.log, ...notes.map((message) => ({ at, level: 'info', message }) as const)] };
}
