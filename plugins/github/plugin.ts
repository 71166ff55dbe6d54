import type { ProviderPlugin } from '#contract';
import { connectionsOf, findUser } from './account.ts';

/**
 * GitHub's own words for RFC 6749 `invalid_grant`, sent with status 200 (docs: "Troubleshooting OAuth app access token
 * request errors").
 */
const OVER = new Set(['invalid_grant', 'bad_refresh_token', 'bad_verification_code']);

export default {
  contract: 1,
  auth: { isRevoked: ({ error }) => error !== undefined && OVER.has(error) },
  connection: { afterAuthorization: findUser },
  webhook: {
    signature: [
      {
        scheme: 'hmac',
        algorithm: 'sha256',
        header: 'x-hub-signature-256',
        encoding: 'hex',
        prefix: 'sha256=',
        secret: { in: 'webhookSecret' },
        withoutSecret: 'refuse',
      },
    ],
    events: ({ headers, payload }) => [{ type: headers['x-github-event'], connections: connectionsOf(payload) }],
    // The same for each try, and for each webhook that tells of the same event. Not signed: GitHub signs nothing but the body.
    deliveryId: ({ headers }) => headers['x-github-delivery'],
    forwardHeaders: [
      'x-github-event',
      'x-github-delivery',
      'x-github-hook-id',
      'x-github-hook-installation-target-id',
      'x-github-hook-installation-target-type',
    ],
  },
} satisfies ProviderPlugin;
