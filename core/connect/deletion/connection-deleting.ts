import type { Connection } from '../../connections/connection.ts';
import { eraseConnection, markDeleted } from '../../connections/connection-store.ts';
import { announceChange, unknownConnection } from '../../connections/connections.ts';
import type { Integration } from '../../connections/integrations/integration.ts';
import { integrationById } from '../../connections/integrations/integration-store.ts';
import { connectionMarkedAlone } from '../../connections/marked-connection-store.ts';
import { connectionEvent } from '../../credentials/connection-event.ts';
import { DueWorker } from '../../db/due-worker.ts';
import { withTransaction } from '../../db/transaction.ts';
import type { AuditContext } from '../../journal/audit-trail/entry.ts';
import { recordAudit } from '../../journal/audit-trail/record.ts';
import { killPoint } from '../../kit/kill-point.ts';
import { sendAuthMessage } from '../../webhook-delivery/auth-message.ts';
import type { LifecycleDeps } from '../deps.ts';
import { type CleanUp, cleanUp, runScriptFirst } from './clean-up.ts';
import {
  claimDeletions,
  type DeletionStep,
  type DueDeletion,
  insertDeletion,
  nextDeletionMs,
  postponeRevocation,
  SCRIPTS,
  writeStep,
} from './deletion-store.ts';
import { endUnrevoked, revokeAtProvider } from './revoke.ts';

/**
 * How long a claim lasts in seconds, in addition to the script's time limit: enough for the plugin's calls, the revocation, and
 * the token call that precedes them.
 */
const CLEAN_UP_SECONDS = 120;

/**
 * Deletes a connection. Once its row is marked as deleted, only its script, which runs first, and the plugin, which then cleans
 * up at the provider, can use its credentials; the auth webhook reports the deletion. The row is deleted even if script or plugin
 * fail. A row of `connection_deletions`, inserted in the same transaction, records the next step, so that a worker continues if
 * this process ends.
 *
 * @throws ServiceError `unknown_connection` if it was deleted concurrently
 */
export async function deleteConnection(
  deps: LifecycleDeps,
  known: Connection,
  { integration, audit }: { readonly integration: Integration; readonly audit: AuditContext },
): Promise<void> {
  const connection = await mark(deps, known, audit);
  try {
    await finish(deps, { ...connection, step: 'script', open: () => ({ connection, integration }) });
  } catch (error) {
    // For callers the connection is already deleted, so the request has succeeded.
    deps.log.warn('the deletion of a connection was interrupted and will be finished later', {
      connectionId: connection.connectionId,
      error,
    });
  }
}

/** Continues deletions whose process ended, with the step that had begun, which may therefore run twice. */
export function deletionWorker(deps: LifecycleDeps): DueWorker<DueDeletion> {
  const { signals, log, db, scripts } = deps;
  return new DueWorker({
    ...{ signals, log, topic: 'deletions', groupSizes: new Map([[SCRIPTS, scripts.limits.workers]]) },
    claim: (room) => claimDeletions(db, room, claimSeconds(deps)),
    nextDueMs: () => nextDeletionMs(db),
    groupOf: ({ step, integrationId }) => (step === 'script' ? SCRIPTS : String(integrationId)),
    work: (due, signal) => resume(deps, due, signal),
  });
}

async function resume(
  deps: LifecycleDeps,
  { connectionId: id, environmentId, step }: DueDeletion,
  job: AbortSignal,
): Promise<void> {
  try {
    const marked = await connectionMarkedAlone(deps, { environmentId, id });
    const integration = marked && (await integrationById(deps, environmentId, marked.integrationId));
    if (marked === undefined || integration === undefined) return;
    const open = () => ({ connection: marked.open(), integration });
    await finish(deps, { ...marked, environmentId, id, step, open, job });
  } catch (error) {
    deps.log.warn('the deletion of a connection was interrupted and will be finished later', { connectionId: id, error });
  }
}

interface Deletion
  extends Pick<Connection, 'id' | 'environmentId' | 'integrationId' | 'connectionId' | 'providerConfigKey' | 'provider'> {
  readonly step: DeletionStep;
  /** Decrypts the connection. @throws KeyRingError if the row cannot be decrypted */
  readonly open: CleanUp['about'];
  /** Set in workers; aborts when the process is about to end. Absent if a caller waits for the response. */
  readonly job?: AbortSignal | undefined;
}

async function finish(deps: LifecycleDeps, deletion: Deletion): Promise<void> {
  const { environmentId, connectionId, providerConfigKey, provider, job: signal } = deletion;
  const operation = deps.activity.begin({
    type: 'deletion',
    operation: 'deletion',
    environmentId,
    connectionId,
    providerConfigKey,
  });
  killPoint('deletion-after-mark');
  let about = deletion.open;
  if (deletion.step === 'script') {
    about = await runScriptFirst(deps, deletion);
    await writeStep(deps.db, deletion, 'clean-up');
  }
  if (deletion.step === 'script' || deletion.step === 'clean-up') {
    about = await cleanUp(deps, { operation, provider, about, signal });
    await writeStep(deps.db, deletion, 'revoke');
  }
  if (deletion.step !== 'erase') {
    const isWorthAnother = await revokeAtProvider(deps, { operation, provider, about, signal });
    if (isWorthAnother && (await postponeRevocation(deps.db, deletion))) return endUnrevoked(operation);
  }
  await withTransaction(deps.db, async (trx) => {
    await eraseConnection(trx, deletion);
    await operation.endIn(trx, 'success', connectionId);
  });
}

/**
 * Marks the connection as deleted and reports the deletion.
 *
 * @returns the current connection: its webhooks may have been registered, or its credentials refreshed, since it was read
 */
function mark(deps: LifecycleDeps, known: Connection, audit: AuditContext): Promise<Connection> {
  return withTransaction(deps.db, async (trx) => {
    const connection = await markDeleted({ ...deps, db: trx }, known);
    if (connection === undefined) throw unknownConnection(known);
    await insertDeletion(trx, connection, claimSeconds(deps));
    await announceChange(deps, trx, connection);
    await sendAuthMessage(deps, trx, connectionEvent(connection, { operation: 'deletion', success: true }));
    const subject = { type: 'connection', id: connection.connectionId } as const;
    const facts = { integration: connection.providerConfigKey };
    await recordAudit({ ...deps, db: trx }, { ...audit, action: 'connection.delete', subject, facts });
    return connection;
  });
}

function claimSeconds({ scripts }: LifecycleDeps): number {
  return scripts.limits.timeoutMs / 1_000 + CLEAN_UP_SECONDS;
}
