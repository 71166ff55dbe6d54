import type { Knex } from 'knex';
import type { Connection } from '../connections/connection.ts';
import { lockIntegration } from '../integrations/integration-store.ts';
import { unknownIntegration } from '../integrations/integrations.ts';

/**
 * Keeps an integration from being deleted until the transaction `trx` ends: a connection written meanwhile would live on
 * without it.
 *
 * @throws ServiceError `unknown_provider_config` when it has just been deleted
 */
export async function holdIntegration(
  trx: Knex,
  connection: Pick<Connection, 'environmentId' | 'integrationId' | 'providerConfigKey'>,
): Promise<void> {
  const { environmentId, integrationId, providerConfigKey } = connection;
  if (!(await lockIntegration(trx, environmentId, integrationId))) throw unknownIntegration(providerConfigKey);
}
