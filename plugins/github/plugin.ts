import type { ProviderPlugin } from '#contract';

/**
 * GitHub's own words for RFC 6749 `invalid_grant`, sent with status 200 (docs: "Troubleshooting OAuth app access token
 * request errors").
 */
const OVER = new Set(['invalid_grant', 'bad_refresh_token', 'bad_verification_code']);

export default {
  contract: 1,
  auth: { isRevoked: ({ error }) => error !== undefined && OVER.has(error) },
} satisfies ProviderPlugin;
