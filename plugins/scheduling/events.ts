import { type ConnectionKey, type IncomingWebhook, textAt, type WebhookEvent } from '#contract';

/**
 * The query parameter that holds the connection ID in registered URLs. The field of the body has the same name unless the
 * provider's definition sets another.
 */
export const CONNECTION_ID = 'svcConnectionId';

/**
 * Returns the event for the connection that the URL or the body names. If both name one, they must agree: all connections share
 * one secret and the URL is not signed, so somebody could combine the URL of one connection with the body of another.
 */
export function eventsOf({ query, payload }: IncomingWebhook, field = CONNECTION_ID): readonly WebhookEvent[] {
  const type = textAt(payload, 'triggerEvent');
  const named = [query[CONNECTION_ID], textAt(payload, field)];
  const connections = named.flatMap((value): ConnectionKey[] => (value ? [{ by: 'connectionId', value }] : []));
  return [{ ...(type !== undefined && { type }), connections, mustAgree: true }];
}
