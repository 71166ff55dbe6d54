import type { ConnectionKey, IncomingWebhook, ProviderPlugin } from '#contract';

const SHOP = /^([a-z0-9][a-z0-9-]*)\.myshopify\.com$/;

export default {
  contract: 1,
  webhook: {
    signature: [
      {
        scheme: 'hmac',
        algorithm: 'sha256',
        header: 'x-shopify-hmac-sha256',
        encoding: 'base64',
        secret: { in: 'clientSecret' },
        withoutSecret: 'refuse',
      },
    ],
    events: (webhook) => [{ type: webhook.headers['x-shopify-topic'], connections: connectionsOf(webhook) }],
    // Of the delivery: X-Shopify-Event-Id is shared by deliveries of several topics.
    deliveryId: ({ headers }) => headers['x-shopify-webhook-id'],
    forwardHeaders: [
      'x-shopify-topic',
      'x-shopify-shop-domain',
      'x-shopify-webhook-id',
      'x-shopify-event-id',
      'x-shopify-triggered-at',
      'x-shopify-api-version',
    ],
  },
} satisfies ProviderPlugin;

/** Not signed, like all headers: Shopify signs nothing but the body, with a secret that all stores of an app share. */
function connectionsOf({ headers }: IncomingWebhook): ConnectionKey[] {
  const [, subdomain] = SHOP.exec(headers['x-shopify-shop-domain']?.toLowerCase() ?? '') ?? [];
  return subdomain === undefined ? [] : [{ by: 'connectionConfig', field: 'subdomain', value: subdomain }];
}
