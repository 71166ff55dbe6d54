import type { ProviderPlugin } from '#contract';

/**
 * Slack's own words for RFC 6749 `invalid_grant`, sent with status 200 (docs: errors of `oauth.v2.access`, "Using token
 * rotation").
 */
const OVER = new Set(['invalid_grant', 'invalid_refresh_token', 'token_revoked', 'token_expired', 'account_inactive']);

export default {
  contract: 1,
  auth: { isRevoked: ({ error }) => error !== undefined && OVER.has(error) },
} satisfies ProviderPlugin;
