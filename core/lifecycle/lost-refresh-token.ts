import type { StoredCredentials } from '../auth-modes/auth-mode.ts';
import { tokenSet } from '../auth-modes/token-set.ts';
import type { AuthWarning } from '../webhook-delivery/auth-message.ts';

const WARNING: AuthWarning = {
  type: 'no_refresh_token',
  description:
    'The provider sent no refresh token this time, and the one before was dropped, since it may be of another account.',
};

/** The warning about credentials that replace others, if there is one. */
export function warningOf(before: StoredCredentials, after: StoredCredentials): AuthWarning | undefined {
  const isLost = tokenSet(before).refreshToken !== undefined && tokenSet(after).refreshToken === undefined;
  return isLost ? WARNING : undefined;
}
