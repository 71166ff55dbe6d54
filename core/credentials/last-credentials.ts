import type { StoredCredentials } from '../auth-modes/auth-mode.ts';
import { validityOf } from '../auth-modes/validity.ts';
import { storeLastCredentials } from '../connections/marked-connection-store.ts';
import type { StoreDeps } from '../db/store-deps.ts';
import { abortable } from '../kit/abortable.ts';
import type { Outbound } from '../kit/outbound.ts';
import { callProvider, type Subject } from './call-provider.ts';
import type { LeaseDeps } from './deps.ts';

/** A token with less time left may expire before it is used. */
const MARGIN_MS = 60_000;
const PATIENCE_MS = 10_000;

/**
 * Returns credentials for the last calls to the provider about a connection that is marked deleted, refreshed if they have
 * expired. Nobody else refreshes them any more, so no lease is needed. Refreshed ones are stored for a later attempt to revoke
 * them, since the provider may no longer know the previous ones.
 *
 * @throws TokenFailure, or a TimeoutError when the provider hangs; only the stored credentials are left to use then
 */
export async function lastCredentials(
  deps: StoreDeps & LeaseDeps & { readonly outbound: Outbound },
  subject: Subject,
): Promise<StoredCredentials> {
  const { credentials, expiresAt } = subject.connection;
  const now = await deps.refreshing.time.current(deps.db);
  if (expiresAt === null || expiresAt.getTime() - now.getTime() > MARGIN_MS) return credentials;
  if (!validityOf(credentials).refreshable) return credentials;
  const calling = callProvider(deps, subject, { now: () => deps.refreshing.time.now(), timeoutMs: PATIENCE_MS });
  // The time limit includes name resolution and the plugin's own work.
  const renewed = await abortable(AbortSignal.timeout(PATIENCE_MS), calling);
  await storeLastCredentials(deps, subject.connection, renewed);
  return renewed;
}
