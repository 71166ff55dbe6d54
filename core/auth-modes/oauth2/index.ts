import type { JsonObject } from '#contract';
import type { AuthMode, StoredOAuth2 } from '../auth-mode.ts';
import { bearer } from '../bearer.ts';
import { defined, presentOverride, presentRaw } from '../presented.ts';
import { validityOf } from '../validity.ts';
import { begin } from './authorize.ts';
import { complete } from './exchange.ts';
import { refresh } from './refresh.ts';
import { storedTokens } from './token-answer.ts';

/** OAuth 2.0 authorization code grant with PKCE (RFC 6749 §4.1, RFC 7636). */
export const oauth2: AuthMode<StoredOAuth2> = {
  name: 'OAUTH2',
  present,
  validity: (stored) => validityOf(stored, stored.refreshToken !== undefined),
  sign: ({ accessToken }) => bearer(accessToken),
  templateValues: ({ accessToken }) => ({ accessToken, 'credentials.access_token': accessToken }),
  begin,
  complete,
  refresh,
  adopt: storedTokens,
};

function present(stored: StoredOAuth2, options: { readonly withRefreshToken: boolean }): JsonObject {
  return defined({
    type: stored.type,
    access_token: stored.accessToken,
    refresh_token: options.withRefreshToken ? stored.refreshToken : undefined,
    expires_at: stored.expiresAt,
    config_override: stored.configOverride && presentOverride(stored.configOverride),
    raw: presentRaw(stored.raw, options),
  });
}
