import type { StoredCredentials } from './stored-credentials.ts';
import { tokenSet } from './token-set.ts';

/** Whether both are credentials that the same refresh token renews: who spends one spends the other. */
export function haveSameRefreshToken(one: StoredCredentials, other: StoredCredentials): boolean {
  const { refreshToken } = tokenSet(one);
  return refreshToken !== undefined && refreshToken === tokenSet(other).refreshToken;
}
