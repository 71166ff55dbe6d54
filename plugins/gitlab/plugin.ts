import type { ProviderPlugin } from '#contract';
import { connectionsOf, findUser } from './namespace.ts';

export default {
  contract: 1,
  connection: { afterAuthorization: findUser },
  webhook: {
    signature: [{ scheme: 'token', header: 'x-gitlab-token', secret: { in: 'webhookSecret' }, withoutSecret: 'refuse' }],
    events: ({ headers, payload }) => [
      { type: headers['x-gitlab-event'], connections: connectionsOf(payload, headers['x-gitlab-instance']) },
    ],
    matchedBy: [
      'the URL of the project, or of a group around it, by path or by number, is in gitlab_urls of the metadata',
      'the URL of the namespace is namespace_url of the connection configuration',
    ],
    // X-Gitlab-Event-UUID cannot be the delivery ID: all webhooks that one request to GitLab causes share it, even those of
    // different events.
    deliveryId: ({ headers }) => headers['idempotency-key'],
    // X-Gitlab-Token is not forwarded because it is the secret itself.
    forwardHeaders: ['x-gitlab-event', 'x-gitlab-event-uuid', 'x-gitlab-instance', 'x-gitlab-webhook-uuid', 'idempotency-key'],
  },
} satisfies ProviderPlugin;
