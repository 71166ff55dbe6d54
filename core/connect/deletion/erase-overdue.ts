import type { Catalogue } from '../../catalogue/catalogue.ts';
import { deleteSessionsOf } from '../../connections/connect-sessions/session-store.ts';
import type { Integration } from '../../connections/integrations/integration.ts';
import { eraseIntegration, integrationsDeletedBefore } from '../../connections/integrations/marked-integration-store.ts';
import { idsOfMarked, markedConnections } from '../../connections/marked-connection-store.ts';
import { inBatches } from '../../db/in-batches.ts';
import type { StoreDeps } from '../../db/store-deps.ts';
import { withTransaction } from '../../db/transaction.ts';
import { deleteOperationsOf } from '../../journal/operation-log/activity-store.ts';
import { deleteCountsOf } from '../../journal/operation-log/count-store.ts';
import type { Clock } from '../../kit/clock.ts';
import { environmentsDeletedBefore, eraseEnvironment } from '../../tenants/environments/marked-environment-store.ts';
import type { OutboxDeps } from '../../webhook-delivery/deps.ts';
import { eraseAndReport } from './erase-connections.ts';

/**
 * How long a row stays marked as deleted before its erasure counts as failed, in milliseconds: longer than the clean-ups of the
 * largest integration take.
 */
const MARKED_MS = 24 * 60 * 60_000;
const AT_ONCE = 100;

export interface EraseDeps extends StoreDeps, OutboxDeps {
  readonly clock: Clock;
  readonly catalogue: Catalogue;
}

/**
 * Erases integrations and environments whose erasure failed for good, that is, which were marked as deleted long ago and still
 * exist.
 */
export async function eraseOverdue(deps: EraseDeps): Promise<void> {
  const { db, clock } = deps;
  const before = new Date(clock.now().getTime() - MARKED_MS);
  for (const integration of await integrationsDeletedBefore(db, before, AT_ONCE)) {
    while ((await eraseSome(deps, integration)) > 0);
    await eraseIntegration(db, integration);
  }
  for (const id of await environmentsDeletedBefore(db, before, AT_ONCE)) {
    for (const remove of [deleteSessionsOf, deleteOperationsOf, deleteCountsOf])
      await inBatches((limit) => remove(db, id, limit));
    await eraseEnvironment(db, id);
  }
}

type OwningIntegration = Pick<Integration, 'id' | 'environmentId'>;

/** Erases some connections without the plugin's clean-ups, which failed repeatedly. @returns how many connections were erased */
async function eraseSome(deps: EraseDeps, integration: OwningIntegration): Promise<number> {
  const { environmentId } = integration;
  const ids = await idsOfMarked(deps.db, integration, AT_ONCE);
  const marked = await markedConnections(deps, environmentId, ids);
  await withTransaction(deps.db, (trx) => eraseAndReport(deps, trx, { environmentId, marked }));
  return marked.length;
}
