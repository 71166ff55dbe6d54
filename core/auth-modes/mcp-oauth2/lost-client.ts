import { type ModeDeps, TokenFailure } from '../auth-mode.ts';
import { forgetClient } from './shared-clients.ts';
import type { Grant } from './stored.ts';

/**
 * Reads a response of the token endpoint. If the server does not know the client any more, its registration has expired or was
 * deleted: another client cannot use the grant, so the user has to authorize one.
 *
 * @throws TokenFailure
 */
export function readAsClient<T>(deps: ModeDeps, { issuer, client }: Pick<Grant, 'issuer' | 'client'>, read: () => T): T {
  try {
    return read();
  } catch (failure) {
    const isLost = failure instanceof TokenFailure && failure.providerCode === 'invalid_client' && client.from !== 'integration';
    if (!isLost) throw failure;
    if (client.from === 'registration') forgetClient(deps, issuer, client);
    const { status, providerCode } = failure;
    const message = 'the authorization server does not know the registered client any more';
    throw new TokenFailure('refused', message, { status, providerCode, cause: failure });
  }
}
