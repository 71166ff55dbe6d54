import type { Knex } from 'knex';
import { deleteOperationsOf } from '../activity/activity-store.ts';
import { deleteSessionsOf } from '../connect-sessions/session-store.ts';
import { eraseConnectionsOf } from '../connections/marked-connection-store.ts';
import { inBatches } from '../db/in-batches.ts';
import { environmentsDeletedBefore, eraseEnvironment } from '../environments/marked-environment-store.ts';
import { eraseIntegration, integrationsDeletedBefore } from '../integrations/marked-integration-store.ts';
import type { Clock } from '../kit/clock.ts';

/** Longer than the clean-ups of the largest integration take. */
const MARKED_MS = 24 * 60 * 60_000;
const AT_ONCE = 100;

/** Erases integrations and environments whose erasure failed for good: marked long ago and still there. */
export async function purgeMarked({ db, clock }: { readonly db: Knex; readonly clock: Clock }): Promise<void> {
  const before = new Date(clock.now().getTime() - MARKED_MS);
  for (const integration of await integrationsDeletedBefore(db, before, AT_ONCE)) {
    await inBatches((limit) => eraseConnectionsOf(db, integration.id, limit));
    await eraseIntegration(db, integration);
  }
  for (const id of await environmentsDeletedBefore(db, before, AT_ONCE)) {
    for (const remove of [deleteSessionsOf, deleteOperationsOf]) await inBatches((limit) => remove(db, id, limit));
    await eraseEnvironment(db, id);
  }
}
