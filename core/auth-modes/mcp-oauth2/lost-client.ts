import { type ModeDeps, TokenFailure } from '../auth-mode.ts';
import { forgetClient } from './shared-clients.ts';
import type { Grant } from './stored.ts';

/**
 * Reads a response of the token endpoint. If the server does not know a registered client any more, its registration has expired or
 * was deleted: another client cannot use the grant, so the user has to authorize one. A document that the server could not fetch,
 * or an app that an operator can correct, ends nothing; nor does what a server says while it fails or is busy.
 *
 * @throws TokenFailure
 */
export function readAsClient<T>(deps: ModeDeps, { issuer, client }: Pick<Grant, 'issuer' | 'client'>, read: () => T): T {
  try {
    return read();
  } catch (failure) {
    if (!(failure instanceof TokenFailure) || client.from !== 'registration') throw failure;
    const { status, providerCode } = failure;
    if (providerCode !== 'invalid_client' || status >= 500 || status === 429) throw failure;
    forgetClient(deps, issuer, client);
    const message = 'the authorization server does not know the registered client any more';
    throw new TokenFailure('refused', message, { status, providerCode, cause: failure });
  }
}
