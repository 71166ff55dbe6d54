import { isObject, type TokenSet } from '#contract';
import type { StoredCredentials } from './auth-mode.ts';
import { modeOf } from './index.ts';
import { validityOf } from './validity.ts';

/**
 * Returns stored credentials in the form that plugins receive. If there is no provider's response, `raw` contains the credentials
 * themselves.
 */
export function tokenSet(stored: StoredCredentials): TokenSet {
  const mode = modeOf(stored);
  const { expiresAt } = validityOf(stored);
  const { accessToken, apiKey } = mode.templateValues(stored);
  const { type: _, raw, refresh_token: refreshToken, ...members } = mode.present(stored, { withRefreshToken: true });
  return {
    accessToken: accessToken ?? apiKey ?? '',
    ...(typeof refreshToken === 'string' && { refreshToken }),
    ...(expiresAt !== undefined && { expiresAt }),
    raw: isObject(raw) ? raw : members,
  };
}

/** Returns whether two credentials have the same refresh token. If so, refreshing one of them uses up the other's token. */
export function haveSameRefreshToken(one: StoredCredentials, other: StoredCredentials): boolean {
  const { refreshToken } = tokenSet(one);
  return refreshToken !== undefined && refreshToken === tokenSet(other).refreshToken;
}
