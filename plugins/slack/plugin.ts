import { type ProviderPlugin, textAt } from '#contract';
import { payloadOf } from './body.ts';
import { answerChallenge } from './challenge.ts';
import { sentAt, signedBytes } from './signature.ts';
import { connectionsOf, findInstallation, typeOf } from './workspace.ts';

/**
 * Slack's error codes that mean the same as `invalid_grant` in RFC 6749, sent with status 200 (docs: errors of `oauth.v2.access`,
 * "Using token rotation").
 */
const OVER = new Set(['invalid_grant', 'invalid_refresh_token', 'token_revoked', 'token_expired', 'account_inactive']);

export default {
  contract: 1,
  auth: { isRevoked: ({ error }) => error !== undefined && OVER.has(error) },
  connection: { afterAuthorization: findInstallation },
  webhook: {
    signature: [
      {
        scheme: 'hmac',
        algorithm: 'sha256',
        header: 'x-slack-signature',
        encoding: 'hex',
        prefix: 'v0=',
        secret: { in: 'webhookSecret' },
        withoutSecret: 'refuse',
        signedBytes,
        timestamp: { toleranceSeconds: 300, read: sentAt },
      },
    ],
    handshake: answerChallenge,
    events: (webhook) => {
      const payload = payloadOf(webhook);
      return [{ type: typeOf(payload), connections: connectionsOf(payload), payload }];
    },
    matchedBy: [
      'the workspace’s ID is team.id of the connection configuration',
      'the organization’s ID is organization_id of the connection configuration, where all of it has the app',
    ],
    // All attempts to deliver an event have the same `event_id`. Interactions are sent only once and need no ID.
    deliveryId: ({ payload }) => textAt(payload, 'event_id'),
    forwardHeaders: ['x-slack-request-timestamp', 'x-slack-retry-num', 'x-slack-retry-reason'],
    // Slack shows the response to a command or a dialog to the user, so it must be empty.
    reply: () => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: '' }),
  },
} satisfies ProviderPlugin;
