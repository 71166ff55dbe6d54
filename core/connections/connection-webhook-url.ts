import { environmentById } from '../tenants/environments/environment-store.ts';
import type { Connection } from './connection.ts';
import type { TagKeyDeps } from './integrations/deps.ts';
import { unknownIntegration } from './integrations/integrations.ts';
import { registeredAddress, webhookTagKey } from './integrations/webhook-address.ts';

/**
 * Returns the address to which a provider sends the deliveries of one connection: the integration's address with the connection's
 * ID and a tag that proves the address authentic.
 *
 * @throws ServiceError `unknown_provider_config` when the environment was deleted meanwhile
 */
export async function connectionWebhookUrl(
  deps: TagKeyDeps & { readonly baseUrl: string },
  { environmentId, connectionId, providerConfigKey }: Pick<Connection, 'environmentId' | 'connectionId' | 'providerConfigKey'>,
): Promise<string> {
  const environment = await environmentById(deps.db, environmentId);
  const tagKey = await webhookTagKey(deps, environmentId);
  if (environment === undefined || tagKey === undefined) throw unknownIntegration(providerConfigKey);
  const address = { environmentUuid: environment.uuid, integrationKey: providerConfigKey, connectionId };
  return registeredAddress(tagKey, { baseUrl: deps.baseUrl, ...address });
}
