import { type ConnectionKey, type IncomingWebhook, textAt, type WebhookEvent } from '#contract';

/** Query parameter of registered addresses, and member of the body unless the provider's definition names another. */
export const CONNECTION_ID = 'svcConnectionId';

/**
 * The address names the connection, or the body does. Both are signed with one secret for all connections, and the address is
 * not signed at all: where the two differ somebody has put together what does not belong together.
 */
export function eventsOf({ query, payload }: IncomingWebhook, field = CONNECTION_ID): readonly WebhookEvent[] {
  const type = textAt(payload, 'triggerEvent');
  const named = [query[CONNECTION_ID], textAt(payload, field)];
  const connections = named.flatMap((value): ConnectionKey[] => (value ? [{ by: 'connectionId', value }] : []));
  return [{ ...(type !== undefined && { type }), connections, mustAgree: true }];
}
