import type { ProviderPlugin } from '#contract';
import { batchId, eventsOf } from './batch.ts';
import { sentAt, signedBytes } from './signature.ts';

export default {
  contract: 1,
  webhook: {
    signature: [
      {
        scheme: 'hmac',
        algorithm: 'sha256',
        header: 'x-hubspot-signature-v3',
        encoding: 'base64',
        secret: { in: 'clientSecret' },
        withoutSecret: 'refuse',
        signedBytes,
        timestamp: { toleranceSeconds: 300, read: sentAt },
      },
    ],
    events: ({ payload }) => eventsOf(payload),
    matchedBy: ['portalId, also of origin, is hub_id of the connection configuration'],
    deliveryId: ({ payload }) => batchId(payload),
    forwardHeaders: ['x-hubspot-request-timestamp'],
  },
} satisfies ProviderPlugin;
