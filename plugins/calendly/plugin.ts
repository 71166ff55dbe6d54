import { createHash } from 'node:crypto';
import { type ProviderPlugin, textAt, timedSignature } from '#contract';

export default {
  contract: 1,
  webhook: {
    signature: [
      {
        scheme: 'hmac',
        algorithm: 'sha256',
        encoding: 'hex',
        secret: { in: 'webhookSecret' },
        withoutSecret: 'refuse',
        ...timedSignature('calendly-webhook-signature', 180),
      },
    ],
    // Whoever made the subscription, in the scope of a user and in that of an organisation: the body names no organisation.
    events: ({ payload }) => {
      const creator = textAt(payload, 'created_by');
      return [
        {
          type: textAt(payload, 'event'),
          connections: creator === undefined ? [] : [{ by: 'connectionConfig', field: 'owner', value: creator }],
        },
      ];
    },
    // Calendly has none. The body, with its time in microseconds, stays the same when the signature of a further try does not.
    deliveryId: ({ rawBody }) => createHash('sha256').update(rawBody).digest('hex'),
  },
} satisfies ProviderPlugin;
