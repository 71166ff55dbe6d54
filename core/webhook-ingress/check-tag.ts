import type { IncomingWebhook } from '#contract';
import type { TagKeyDeps } from '../connections/integrations/deps.ts';
import { CONNECTION_ID_PARAMETER, isSvcTag, TAG_PARAMETER, webhookTagKey } from '../connections/integrations/webhook-address.ts';
import { ServiceError } from '../errors.ts';
import type { Receiver } from './receivers.ts';

/**
 * Checks the tag of a webhook URL. It proves that the service created the URL for this connection. Without a tag the connection
 * ID is like any other data of the delivery.
 *
 * @returns the ID of the connection that the URL was registered for; undefined without a tag
 * @throws ServiceError `webhook_invalid_signature` for a wrong tag
 */
export async function checkTag(
  deps: TagKeyDeps,
  { integration, environmentUuid, addressKey }: Receiver,
  { query }: IncomingWebhook,
): Promise<string | undefined> {
  const { [TAG_PARAMETER]: tag, [CONNECTION_ID_PARAMETER]: connectionId = '' } = query;
  if (tag === undefined) return undefined;
  const key = await webhookTagKey(deps, integration.environmentId);
  const tagged = { environmentUuid, integrationKey: addressKey, connectionId };
  if (key === undefined || !isSvcTag(key, tagged, tag))
    throw new ServiceError(
      'webhook_invalid_signature',
      'this webhook URL was not created by this service: register the URL that the integration shows',
    );
  return connectionId;
}
