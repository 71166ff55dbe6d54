import type { Integration } from '../../connections/integrations/integration.ts';
import { announceIntegration, unknownIntegration } from '../../connections/integrations/integrations.ts';
import { markIntegrationDeleted } from '../../connections/integrations/marked-integration-store.ts';
import { rememberKey } from '../../connections/integrations/used-key-store.ts';
import { markConnectionsOf } from '../../connections/marked-connection-store.ts';
import { withLongTransaction } from '../../db/transaction.ts';
import type { LifecycleDeps } from '../deps.ts';
import { sendErasure } from './erasure-worker.ts';

/**
 * Deletes an integration with all its connections. Afterwards their credentials cannot be used, and the key is available; a job
 * then lets plugins clean up and erases the rows.
 *
 * @throws ServiceError `unknown_provider_config`
 */
export async function deleteIntegration(
  deps: LifecycleDeps,
  address: Pick<Integration, 'environmentId' | 'uniqueKey'>,
): Promise<void> {
  await withLongTransaction(deps.db, async (trx) => {
    const integrationId = await markIntegrationDeleted(trx, address);
    if (integrationId === undefined) throw unknownIntegration(address.uniqueKey);
    await rememberKey(trx, { ...address, id: integrationId });
    const erasure = { environmentId: address.environmentId, integrationId };
    await markConnectionsOf(trx, erasure);
    await announceIntegration(deps, trx, address);
    await sendErasure(deps, trx, erasure);
  });
}
