import type { Json, JsonObject } from '#contract';
import type { AuthMode, StoredOAuth2 } from '../auth-mode.ts';
import { begin } from './authorize.ts';
import { complete } from './exchange.ts';
import { refresh } from './refresh.ts';
import { storedTokens } from './token-answer.ts';

/** OAuth 2.0 authorization code grant with PKCE (RFC 6749 §4.1, RFC 7636). */
export const oauth2: AuthMode = {
  name: 'OAUTH2',
  present,
  validity: (stored) => ({
    ...(stored.expiresAt !== undefined && { expiresAt: new Date(stored.expiresAt) }),
    receivedAt: new Date(stored.receivedAt),
    refreshable: stored.refreshToken !== undefined,
  }),
  sign: (stored) => ({ headers: { authorization: `Bearer ${stored.accessToken}` } }),
  templateValues: (stored) => ({ accessToken: stored.accessToken, 'credentials.access_token': stored.accessToken }),
  begin,
  complete,
  refresh,
  adopt: storedTokens,
};

function present(stored: StoredOAuth2, { withRefreshToken }: { readonly withRefreshToken: boolean }): JsonObject {
  const { clientId, clientSecret } = stored.configOverride ?? {};
  return {
    type: stored.type,
    access_token: stored.accessToken,
    ...(withRefreshToken && stored.refreshToken !== undefined && { refresh_token: stored.refreshToken }),
    ...(stored.expiresAt !== undefined && { expires_at: stored.expiresAt }),
    ...(stored.configOverride !== undefined && {
      config_override: {
        ...(clientId !== undefined && { client_id: clientId }),
        ...(clientSecret !== undefined && { client_secret: clientSecret }),
      },
    }),
    raw: withRefreshToken ? stored.raw : withoutRefreshTokens(stored.raw),
  };
}

function withoutRefreshTokens(raw: JsonObject): JsonObject {
  const kept = Object.entries(raw).filter(([name]) => !/^refresh_?token$/i.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, scrub(value)]));
}

function scrub(value: Json): Json {
  if (Array.isArray(value)) return value.map(scrub);
  return isObject(value) ? withoutRefreshTokens(value) : value;
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
