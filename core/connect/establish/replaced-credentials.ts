import type { StoredCredentials } from '../../auth-modes/auth-mode.ts';
import { modeOf } from '../../auth-modes/index.ts';
import { tokenSet } from '../../auth-modes/token-set.ts';
import type { Connection } from '../../connections/connection.ts';
import { fingerprintOf } from '../../connections/integrations/effective-client.ts';
import { isSameAccount } from '../../connections/provider-account.ts';
import type { AuthWarning } from '../../webhook-delivery/auth-message.ts';
import type { AdmittedPlan } from './connection-plan.ts';

const NO_REFRESH_TOKEN: AuthWarning = {
  type: 'no_refresh_token',
  description:
    'The provider sent no refresh token this time, and the one before was dropped, since it may be of another account.',
};

interface Successor {
  readonly credentials: StoredCredentials;
  readonly warning?: AuthWarning;
}

/**
 * What is stored in place of the current credentials. Some providers send a refresh token only the first time: the one before is
 * kept if the account is known to be the same, and dropped with a warning otherwise.
 *
 * @param current as locked: its tokens may have been renewed while the user was at the provider
 */
export function successorOf(
  current: Pick<Connection, 'credentials' | 'clientFingerprint' | 'providerAccount' | 'state'>,
  { credentials, input, providerAccount, reauthorization }: AdmittedPlan,
): Successor {
  const isLost = hasRefreshToken(current.credentials) && !hasRefreshToken(credentials) && credentials.isRefreshable !== true;
  if (!isLost || reauthorization === undefined) return { credentials };
  // With `needs_reauth` the provider has rejected it; of another client it cannot be used (RFC 6749 §10.4).
  const isUsable = current.state !== 'needs_reauth' && current.clientFingerprint === fingerprintOf(input.client);
  const isKeepable = isUsable && isSameAccount(current.providerAccount, providerAccount);
  const kept = isKeepable ? modeOf(credentials).keepRefreshToken?.(credentials, current.credentials) : undefined;
  if (kept === undefined) return { credentials, warning: NO_REFRESH_TOKEN };
  // The plugin was asked without the kept token.
  const { isRefreshable: _, ...successor } = kept;
  return { credentials: successor };
}

function hasRefreshToken(stored: StoredCredentials): boolean {
  return tokenSet(stored).refreshToken !== undefined;
}
