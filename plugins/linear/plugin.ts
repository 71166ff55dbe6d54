import { type ProviderPlugin, textAt } from '#contract';
import { findOrganization } from './organization.ts';
import { sentAt } from './signature.ts';

export default {
  contract: 1,
  connection: { afterAuthorization: findOrganization },
  webhook: {
    signature: [
      {
        scheme: 'hmac',
        algorithm: 'sha256',
        header: 'linear-signature',
        encoding: 'hex',
        secret: { in: 'webhookSecret' },
        withoutSecret: 'refuse',
        timestamp: { toleranceSeconds: 60, read: sentAt },
      },
    ],
    events: ({ payload }) => {
      const organization = textAt(payload, 'organizationId');
      return [
        {
          type: textAt(payload, 'type'),
          connections:
            organization === undefined ? [] : [{ by: 'connectionConfig', field: 'organization_id', value: organization }],
        },
      ];
    },
    deliveryId: ({ headers }) => headers['linear-delivery'],
    forwardHeaders: ['linear-event', 'linear-delivery'],
  },
} satisfies ProviderPlugin;
