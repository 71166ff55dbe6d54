import type { TokenSet } from '#contract';
import type { StoredCredentials } from './auth-mode.ts';

/** Stored credentials as a plugin sees them. */
export function tokenSet(stored: StoredCredentials): TokenSet {
  return {
    accessToken: stored.accessToken,
    ...(stored.refreshToken !== undefined && { refreshToken: stored.refreshToken }),
    ...(stored.expiresAt !== undefined && { expiresAt: new Date(stored.expiresAt) }),
    raw: stored.raw,
  };
}
