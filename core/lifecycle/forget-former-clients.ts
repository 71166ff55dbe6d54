import { withTransaction } from '../db/transaction.ts';
import type { IntegrationsDeps } from '../integrations/deps.ts';
import { withClients, withoutUnneeded } from '../integrations/former-clients.ts';
import type { Integration } from '../integrations/integration.ts';
import {
  clientsOfConnections,
  integrationsWithFormerClients,
  lockIntegrationByKey,
  updateIntegration,
} from '../integrations/integration-store.ts';

const AT_ONCE = 100;

type Deps = Pick<IntegrationsDeps, 'db' | 'keys' | 'clock'>;

/** Removes former clients, which are secrets, once no connection needs them. */
export async function forgetFormerClients(deps: Deps): Promise<void> {
  for (let afterId = 0; ; ) {
    const page = await integrationsWithFormerClients(deps.db, { afterId, limit: AT_ONCE });
    for (const integration of page) await withTransaction(deps.db, (trx) => forget({ ...deps, db: trx }, integration));
    const last = page.at(-1);
    if (last === undefined) return;
    afterId = last.id;
  }
}

async function forget(deps: Deps, { environmentId, uniqueKey }: Pick<Integration, 'environmentId' | 'uniqueKey'>): Promise<void> {
  const integration = await lockIntegrationByKey(deps, environmentId, uniqueKey);
  const former = integration?.client.formerClients;
  if (integration === undefined || former === undefined) return;
  const kept = withoutUnneeded(former, await clientsOfConnections(deps.db, integration), deps.clock.now());
  if (kept.length < former.length) await updateIntegration(deps, withClients(integration, kept));
}
