import type { ScriptOutcome } from '../../scripts-runtime/script-run.ts';
import type { Connection } from '../connections/connection.ts';
import type { Integration } from '../connections/integrations/integration.ts';
import { ServiceError } from '../errors.ts';
import { safeText } from '../kit/redact.ts';
import type { ScriptDeps } from './deps.ts';
import { runScript } from './run.ts';
import { activeScript, hasActiveScript } from './script-store.ts';
import { withinTime } from './within-time.ts';

const EVENT = 'validate-connection';
/** An end user reads it. */
const MAX_WORDS = 500;
const REFUSED = 'This connection was refused.';
const TOO_LONG = 'The check of this connection took too long. Try again later.';
const SLOW: ReadonlySet<string> = new Set(['timeout', 'timeout_waiting', 'cancelled']);
const FAILED = 'The check of this connection failed. Try again later.';

/** A connection that is not stored yet. */
export interface Candidate {
  /** Called only if there is a script. */
  readonly connection: () => Connection;
  readonly integration: Integration;
}

/**
 * Runs the integration's validation script, if there is one, for a new connection or new credentials.
 *
 * @throws ServiceError `connection_validation_failed`, with a message for the end user
 */
export async function validateConnection(deps: ScriptDeps, { connection, integration }: Candidate): Promise<void> {
  const { environmentId, id: integrationId } = integration;
  if (!(await hasActiveScript(deps.db, integrationId, EVENT))) return;
  const outcome = await withinLimit(deps, async (signal) => {
    const script = await activeScript(deps, { environmentId, integrationId, event: EVENT });
    const subject = { kind: 'candidate' as const, connection: connection(), integration };
    const maxWaitMs = deps.scriptRunner.limits.timeoutMs;
    return script && runScript(deps, { script, event: EVENT, subject, maxWaitMs, signal });
  });
  if (outcome !== undefined && outcome.status !== 'done')
    throw new ServiceError('connection_validation_failed', wordsOf(outcome));
}

/** The time in the queue does not count: other scripts must not make it fail. */
async function withinLimit<T>(deps: ScriptDeps, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await withinTime(2 * deps.scriptRunner.limits.timeoutMs, work);
  } catch (cause) {
    if (!(cause instanceof DOMException && cause.name === 'TimeoutError')) throw cause;
    throw new ServiceError('connection_validation_failed', TOO_LONG, { cause });
  }
}

/** The message of a `ScriptError` is for users; other errors are only in the runs, for the author. */
function wordsOf({ cause, error }: ScriptOutcome): string {
  if (cause === 'script_error' && error?.name === 'ScriptError') return plainWords(error.message) || REFUSED;
  return cause !== undefined && SLOW.has(cause) ? TOO_LONG : FAILED;
}

function plainWords(text: string): string {
  return safeText(text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim(), MAX_WORDS);
}
