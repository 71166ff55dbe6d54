import { type ProviderPlugin, textAt, timedSignature } from '#contract';
import { connectionNamedBy, connectionsOf } from './account.ts';

const SIGNATURE = {
  scheme: 'hmac',
  algorithm: 'sha256',
  encoding: 'hex',
  withoutSecret: 'refuse',
  ...timedSignature('stripe-signature', 300),
} as const;

export default {
  contract: 1,
  webhook: {
    // Stripe creates a secret for each endpoint. The endpoint of a platform has one secret for all accounts; the secret of an
    // endpoint for a single account is stored on its connection.
    signature: [
      {
        ...SIGNATURE,
        when: ({ query }) => connectionNamedBy(query) !== undefined,
        secret: { in: 'connection', read: ({ connectionConfig }) => textAt(connectionConfig, 'webhook_secret') },
      },
      { ...SIGNATURE, secret: { in: 'webhookSecret' } },
    ],
    events: ({ query, payload }) => [
      { type: textAt(payload, 'type'), connections: connectionsOf(payload, connectionNamedBy(query)) },
    ],
    matchedBy: [
      'svcConnectionId in the URL is the connection ID',
      'account, or the last part of context, is account_id of the connection configuration',
    ],
    // The event ID is the same for all attempts. The connection ID is added because a sender who knows the secret of one account
    // must not be able to use up event IDs of other accounts, whose deliveries would then be dropped as duplicates.
    deliveryId: ({ query, payload }) => {
      const id = textAt(payload, 'id');
      return id === undefined ? undefined : `${connectionNamedBy(query) ?? ''} ${id}`;
    },
  },
} satisfies ProviderPlugin;
