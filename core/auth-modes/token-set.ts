import type { JsonObject, TokenSet } from '#contract';
import type { StoredCredentials } from './auth-mode.ts';
import { modeOf } from './index.ts';

/** Stored credentials as a plugin sees them. Where there was no answer of a provider, `raw` holds the credentials themselves. */
export function tokenSet(stored: StoredCredentials): TokenSet {
  const mode = modeOf(stored);
  const { expiresAt } = mode.validity(stored);
  const { accessToken, apiKey } = mode.templateValues(stored);
  const { type: _, raw, refresh_token: refreshToken, ...members } = mode.present(stored, { withRefreshToken: true });
  return {
    accessToken: accessToken ?? apiKey ?? '',
    ...(typeof refreshToken === 'string' && { refreshToken }),
    ...(expiresAt !== undefined && { expiresAt }),
    raw: isObject(raw) ? raw : members,
  };
}

function isObject(value: JsonObject[string] | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
