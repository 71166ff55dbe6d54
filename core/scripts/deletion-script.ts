import type { Connection } from '../connections/connection.ts';
import type { Integration } from '../integrations/integration.ts';
import type { ScriptDeps } from './deps.ts';
import { runScript } from './run.ts';
import { activeScript } from './script-store.ts';
import { withinTime } from './within-time.ts';

const EVENT = 'pre-connection-deletion';
/** In a job that erases many: a job has five minutes, and whatever is left of them the clean-ups need. */
const MOST_IN_JOB_MS = 60_000;

interface Marked {
  readonly connection: Connection;
  readonly integration: Integration;
  /** Aborts when the job must end. Absent: a caller waits for the result. */
  readonly job?: AbortSignal | undefined;
}

/**
 * Lets the script of a connection that is marked deleted do its last. Waits for it, but not more than a second longer than a
 * script may run, and not at all when it cannot be read or started: a deletion never fails because of it.
 *
 * @returns the connection, with credentials that the run had to renew
 * @throws the job's reason, when that aborts: the script is then still due
 */
export async function runDeletionScript(deps: ScriptDeps, { connection, integration, job }: Marked): Promise<Connection> {
  const { environmentId, id: integrationId } = integration;
  const subject = { kind: 'marked' as const, connection, integration };
  const most = job === undefined ? Number.POSITIVE_INFINITY : MOST_IN_JOB_MS;
  const timeoutMs = Math.min(deps.scriptRunner.limits.timeoutMs, most);
  try {
    await withinTime(timeoutMs, async (time) => {
      const script = await activeScript(deps, { environmentId, integrationId, event: EVENT });
      const signal = job === undefined ? time : AbortSignal.any([time, job]);
      if (script !== undefined) await runScript(deps, { script, event: EVENT, subject, timeoutMs, signal });
    });
  } catch (error) {
    deps.log.warn('a script before a deletion was not waited for', { connectionId: connection.connectionId, error });
  }
  job?.throwIfAborted();
  return subject.connection;
}
