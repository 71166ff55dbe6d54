import { type ProviderPlugin, textAt } from '#contract';
import { bearerOf, isDynamic } from './dynamic.ts';
import { registerWebhooks, removeWebhooks, renewWebhooks } from './registration.ts';
import { connectionsOf, discoverSite } from './site.ts';

export default {
  contract: 1,
  connection: { afterAuthorization: discoverSite },
  webhook: {
    signature: [
      {
        // An integration with a webhook secret accepts no unsigned delivery. Deliveries to webhooks that the app registered have
        // a JWT instead of a digest.
        scheme: 'jwt',
        algorithm: 'HS256',
        secret: { in: 'clientSecret' },
        read: bearerOf,
        when: (webhook, { webhookSecret }) => webhookSecret !== undefined && isDynamic(webhook),
      },
      {
        scheme: 'hmac',
        algorithm: 'sha256',
        header: 'x-hub-signature',
        encoding: 'hex',
        prefix: 'sha256=',
        secret: { in: 'webhookSecret' },
        withoutSecret: 'accept',
      },
    ],
    events: (webhook) => {
      const type = textAt(webhook.payload, 'webhookEvent');
      return [{ ...(type !== undefined && { type }), connections: connectionsOf(webhook) }];
    },
    matchedBy: ['the site’s URL is that of baseUrl of the connection configuration'],
  },
  subscriptions: {
    subscribe: registerWebhooks,
    renew: { everyDays: 20, run: renewWebhooks },
    unsubscribe: removeWebhooks,
  },
} satisfies ProviderPlugin;
