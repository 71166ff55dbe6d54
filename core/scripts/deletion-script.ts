import type { Connection } from '../connections/connection.ts';
import type { Integration } from '../connections/integrations/integration.ts';
import type { ScriptDeps } from './deps.ts';
import { runScript } from './run.ts';
import { activeScript } from './script-store.ts';
import { withinTime } from './within-time.ts';

const EVENT = 'pre-connection-deletion';
/** In a job that erases many: a job has five minutes, also for the clean-ups. */
const MAX_IN_JOB_MS = 60_000;

export interface MarkedConnection {
  readonly connection: Connection;
  readonly integration: Integration;
  /** Aborts when the job must end. Absent: a caller waits for the result. */
  readonly job?: AbortSignal | undefined;
}

/**
 * Runs the deletion script of a connection that is marked deleted. Waits for it at most a second longer than its timeout. A
 * script that cannot be read or started is skipped: a deletion never fails because of it.
 *
 * @returns the connection, with credentials that the run had to renew
 * @throws the job's reason, if that aborts: the script is then still due
 */
export async function runDeletionScript(
  deps: ScriptDeps,
  { connection, integration, job }: MarkedConnection,
): Promise<Connection> {
  const { environmentId, id: integrationId } = integration;
  const subject = { kind: 'marked' as const, connection, integration };
  const maxMs = job === undefined ? Number.POSITIVE_INFINITY : MAX_IN_JOB_MS;
  const timeoutMs = Math.min(deps.scriptRunner.limits.timeoutMs, maxMs);
  try {
    await withinTime(timeoutMs, async (time) => {
      const script = await activeScript(deps, { environmentId, integrationId, event: EVENT });
      const signal = job === undefined ? time : AbortSignal.any([time, job]);
      if (script !== undefined) await runScript(deps, { script, event: EVENT, subject, timeoutMs, signal });
    });
  } catch (error) {
    deps.log.warn('a deletion script was skipped or did not end in time', { connectionId: connection.connectionId, error });
  }
  job?.throwIfAborted();
  return subject.connection;
}
