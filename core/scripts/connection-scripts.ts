import type { ScriptOutcome } from '../../scripts-runtime/script-run.ts';
import type { Connection } from '../connections/connection.ts';
import type { Integration } from '../connections/integrations/integration.ts';
import { ServiceError } from '../errors.ts';
import { abortable } from '../kit/abortable.ts';
import { safeText } from '../kit/redact.ts';
import type { ScriptDeps } from './deps.ts';
import { runScript } from './run.ts';
import { activeScript, hasActiveScript } from './script-store.ts';

/**
 * Time allowed in addition to the run's timeout: for reading the script, waiting in the queue, and storing the run. Less than the
 * two seconds that callers are promised.
 */
const ROOM_MS = 1_000;

const VALIDATION = 'validate-connection';
/** Maximum length of the message that an end user reads. */
const MAX_WORDS = 500;
const REFUSED = 'This connection was refused.';
const TOO_LONG = 'The check of this connection took too long. Try again later.';
const SLOW: ReadonlySet<string> = new Set(['timeout', 'timeout_waiting', 'cancelled']);
const FAILED = 'The check of this connection failed. Try again later.';

const DELETION = 'pre-connection-deletion';
/** Time limit of one deletion script in a job that erases many connections: a job has five minutes, including the clean-ups. */
const MAX_IN_JOB_MS = 60_000;

/** A connection to validate, not stored yet. */
interface Candidate {
  readonly connection: Connection;
  readonly integration: Integration;
}

/**
 * Runs the integration's validation script, if there is one, for a new connection or new credentials.
 *
 * @throws ServiceError `connection_validation_failed` if the script refuses or fails, with a message for the end user
 */
async function validateConnection(deps: ScriptDeps, { connection, integration }: Candidate): Promise<void> {
  const { environmentId, id: integrationId } = integration;
  if (!(await hasActiveScript(deps.db, integrationId, VALIDATION))) return;
  const outcome = await withinLimit(deps, async (signal) => {
    const script = await activeScript(deps, { environmentId, integrationId, event: VALIDATION });
    const subject = { kind: 'candidate' as const, connection, integration };
    const maxWaitMs = deps.scriptRunner.limits.timeoutMs;
    return script && runScript(deps, { script, event: VALIDATION, subject, maxWaitMs, signal });
  });
  if (outcome !== undefined && outcome.status !== 'done')
    throw new ServiceError('connection_validation_failed', wordsOf(outcome));
}

/** Limits the time of a validation. The time in the queue does not count: other scripts must not make the validation fail. */
async function withinLimit<T>(deps: ScriptDeps, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await withinTime(2 * deps.scriptRunner.limits.timeoutMs, work);
  } catch (cause) {
    if (!(cause instanceof DOMException && cause.name === 'TimeoutError')) throw cause;
    throw new ServiceError('connection_validation_failed', TOO_LONG, { cause });
  }
}

/**
 * Returns the message for the end user. The message of a `ScriptError` is meant for users; other errors are only in the stored
 * runs, for the script's author.
 */
function wordsOf({ cause, error }: ScriptOutcome): string {
  if (cause === 'script_error' && error?.name === 'ScriptError') return plainWords(error.message) || REFUSED;
  return cause !== undefined && SLOW.has(cause) ? TOO_LONG : FAILED;
}

function plainWords(text: string): string {
  return safeText(text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim(), MAX_WORDS);
}

interface ScriptedConnection {
  readonly connection: Connection;
  readonly integration: Integration;
  /** Aborts when the job must end. Absent when a caller waits for the result. */
  readonly job?: AbortSignal | undefined;
}

/**
 * Runs the deletion script of a connection that is marked deleted. Waits for it at most a second longer than its timeout. A
 * script that cannot be read or started is skipped: a deletion never fails because of it.
 *
 * @returns the connection, whose credentials may have been refreshed for the script
 * @throws the job's reason, if that aborts: the script is then still due
 */
async function runDeletionScript(deps: ScriptDeps, { connection, integration, job }: ScriptedConnection): Promise<Connection> {
  const { environmentId, id: integrationId } = integration;
  const subject = { kind: 'marked' as const, connection, integration };
  const maxMs = job === undefined ? Number.POSITIVE_INFINITY : MAX_IN_JOB_MS;
  const timeoutMs = Math.min(deps.scriptRunner.limits.timeoutMs, maxMs);
  try {
    await withinTime(timeoutMs, async (time) => {
      const script = await activeScript(deps, { environmentId, integrationId, event: DELETION });
      const signal = job === undefined ? time : AbortSignal.any([time, job]);
      if (script !== undefined) await runScript(deps, { script, event: DELETION, subject, timeoutMs, signal });
    });
  } catch (error) {
    deps.log.warn('a deletion script was skipped or did not end in time', { connectionId: connection.connectionId, error });
  }
  job?.throwIfAborted();
  return subject.connection;
}

/** Runs the scripts in the life of a connection, for code that creates and deletes connections. */
export class ConnectionScripts {
  readonly #deps: ScriptDeps;

  constructor(deps: ScriptDeps) {
    this.#deps = deps;
  }

  /** The limits of a run's time and of concurrent runs. */
  get limits(): ScriptDeps['scriptRunner']['limits'] {
    return this.#deps.scriptRunner.limits;
  }

  /** Runs the validation script. @throws ServiceError `connection_validation_failed` if the script refuses or fails */
  validate(candidate: Candidate): Promise<void> {
    return validateConnection(this.#deps, candidate);
  }

  /** Runs the deletion script. @returns the connection, whose credentials may have been refreshed for the script */
  beforeDeletion(marked: ScriptedConnection): Promise<Connection> {
    return runDeletionScript(this.#deps, marked);
  }
}

/**
 * Limits the time of a run that a caller waits for.
 *
 * @param limitMs the time limit of the run itself
 * @throws TimeoutError if it takes more than a second longer
 */
function withinTime<T>(limitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(limitMs + ROOM_MS);
  return abortable(signal, work(signal));
}
