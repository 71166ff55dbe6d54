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
    // Stripe makes a secret for each endpoint: a platform has one for all its accounts, an account's own lies on its connection.
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
    // The event's, in the body: the same for each try. An account's own secret must not use up the IDs of other accounts.
    deliveryId: ({ query, payload }) => {
      const id = textAt(payload, 'id');
      return id === undefined ? undefined : `${connectionNamedBy(query) ?? ''} ${id}`;
    },
  },
} satisfies ProviderPlugin;
