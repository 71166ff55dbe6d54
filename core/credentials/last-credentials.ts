import type { StoredCredentials } from '../auth-modes/auth-mode.ts';
import { validityOf } from '../auth-modes/validity.ts';
import { storeLastCredentials } from '../connections/marked-connection-store.ts';
import type { StoreDeps } from '../db/store-deps.ts';
import { abortable } from '../kit/abortable.ts';
import type { Outbound } from '../kit/outbound.ts';
import { callProvider, type Subject } from './call-provider.ts';
import type { LeaseDeps } from './deps.ts';

/** A token that has less left may be over before it is used. */
const MARGIN_MS = 60_000;
const PATIENCE_MS = 10_000;

/**
 * Credentials for the last calls of a connection that is marked deleted: renewed if they have expired. Nobody else renews them
 * any more, so no lease is needed. They are stored for a later attempt to revoke them: those before them may mean nothing to the
 * provider any more.
 *
 * @throws TokenFailure, or a TimeoutError when the provider hangs; what is stored is then all there is
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
  // Name look-up and a plugin's own work included.
  const renewed = await abortable(AbortSignal.timeout(PATIENCE_MS), calling);
  await storeLastCredentials(deps, subject.connection, renewed);
  return renewed;
}
