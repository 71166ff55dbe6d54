import type { ProviderPlugin } from '#contract';
import { CONNECTION_ID, eventsOf } from './events.ts';
import { createWebhook, deleteWebhook } from './registration.ts';

export default {
  contract: 1,
  webhook: ({ definition: { webhook = {} } }) => ({
    signature: [
      {
        scheme: 'hmac',
        algorithm: 'sha256',
        header: (webhook.signature_header ?? 'x-scheduler-signature-256').toLowerCase(),
        encoding: 'hex',
        secret: { in: 'webhookSecret' },
        withoutSecret: 'accept',
      },
    ],
    events: (delivery) => eventsOf(delivery, webhook.connection_id_field),
    matchedBy: [
      `${CONNECTION_ID} in the URL is the connection ID`,
      `${webhook.connection_id_field ?? CONNECTION_ID} in the body is the connection ID`,
    ],
  }),
  subscriptions: { subscribe: createWebhook, unsubscribe: deleteWebhook },
} satisfies ProviderPlugin;
