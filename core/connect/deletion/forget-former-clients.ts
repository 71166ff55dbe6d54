import { withClients, withoutUnneeded } from '../../connections/integrations/former-clients.ts';
import type { Integration } from '../../connections/integrations/integration.ts';
import {
  clientsOfConnections,
  integrationsWithFormerClients,
  lockIntegrationByKey,
  updateIntegration,
} from '../../connections/integrations/integration-store.ts';
import type { StoreDeps } from '../../db/store-deps.ts';
import { withTransaction } from '../../db/transaction.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Logger } from '../../kit/logger.ts';

const AT_ONCE = 100;

type Marked = Pick<Integration, 'environmentId' | 'uniqueKey'>;

type Deps = StoreDeps & { readonly clock: Clock; readonly log: Logger };

/** Removes the former OAuth clients of integrations, which contain secrets, once no connection needs them. */
export async function forgetFormerClients(deps: Deps): Promise<void> {
  for (let afterId = 0; ; ) {
    const page = await integrationsWithFormerClients(deps.db, { afterId, limit: AT_ONCE });
    for (const integration of page) await forgetOf(deps, integration);
    const last = page.at(-1);
    if (last === undefined) return;
    afterId = last.id;
  }
}

/** Removes the former clients of one integration. A client that cannot be decrypted must not keep the others from being removed. */
async function forgetOf(deps: Deps, integration: Marked): Promise<void> {
  try {
    await withTransaction(deps.db, (trx) => forget({ ...deps, db: trx }, integration));
  } catch (error) {
    deps.log.warn('former OAuth clients of an integration could not be removed', { integration: integration.uniqueKey, error });
  }
}

async function forget(deps: Deps, { environmentId, uniqueKey }: Marked): Promise<void> {
  const integration = await lockIntegrationByKey(deps, environmentId, uniqueKey);
  const former = integration?.client.formerClients;
  if (integration === undefined || former === undefined) return;
  const kept = withoutUnneeded(former, await clientsOfConnections(deps.db, integration), deps.clock.now());
  if (kept.length < former.length) await updateIntegration(deps, withClients(integration, kept));
}
