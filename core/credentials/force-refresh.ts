import { validityOf } from '../auth-modes/validity.ts';
import type { Connection } from '../connections/connection.ts';
import { ServiceError } from '../errors.ts';
import type { CredentialsDeps } from './deps.ts';
import { freshCredentials } from './fresh.ts';
import { readLease } from './lease-store.ts';

/**
 * What happens if the provider cannot refresh now and the stored credentials are still valid. `true`: they are returned.
 * `strict`: that is an error.
 */
type Force = true | 'strict';

export interface ForcedRefresh {
  readonly connection: Connection;
  /** Why the refresh failed, or has not ended yet, and the previous credentials are returned. */
  readonly failure?: 'provider_unavailable';
  /** True if the credentials cannot be refreshed, such as an API key. */
  readonly isFixed?: true;
}

/**
 * Refreshes credentials that may still be valid. Those that cannot be refreshed, such as API keys, are returned as they are.
 *
 * @throws ServiceError as `freshCredentials` does; with `strict` also `provider_unavailable` while the stored credentials are
 *   valid
 */
export async function forceRefresh(deps: CredentialsDeps, connection: Connection, force: Force): Promise<ForcedRefresh> {
  const fresh = await freshCredentials(deps, connection, { force: true });
  const { refreshable } = validityOf(fresh.credentials);
  if (!refreshable) return { connection: fresh, isFixed: true };
  if (fresh.generation !== connection.generation) return { connection: fresh };
  if (force === 'strict') throw await notRenewed(deps, fresh);
  return { connection: fresh, failure: 'provider_unavailable' };
}

async function notRenewed({ db }: CredentialsDeps, connection: Connection): Promise<ServiceError> {
  const lease = await readLease(db, connection);
  const waitMs = (lease?.refreshAfter?.getTime() ?? 0) - (lease?.now.getTime() ?? 0);
  const message = 'the provider cannot refresh the credentials at the moment; the stored credentials are still valid';
  return new ServiceError('provider_unavailable', message, { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) });
}
