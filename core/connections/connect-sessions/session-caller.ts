import type { StoreDeps } from '../../db/store-deps.ts';
import type { Clock } from '../../kit/clock.ts';
import { hashSecret } from '../../kit/random-id.ts';
import type { ConnectSession } from './session.ts';
import { sessionByHash } from './session-store.ts';

/** Why a session permits nothing any more: something was connected with it or it was deleted, or its time is over. */
export type SessionEnd = 'used' | 'expired';

/** A browser with a connect session token. The session is loaded once, where its token is checked. */
export interface SessionCaller {
  readonly kind: 'session';
  readonly session: ConnectSession;
  /** Undefined while it goes on. Only routes that say so take others. */
  readonly ended?: SessionEnd | undefined;
  /** Origins of the pages that may use it; empty: any. */
  readonly allowedOrigins: readonly string[];
}

/**
 * Whose a connect session token is; undefined when there never was such a session, or no longer.
 *
 * @param deps.ownOrigin of this service, whose own pages may always use it
 */
export async function sessionCaller(
  deps: StoreDeps & { readonly clock: Clock } & { readonly ownOrigin: string },
  token: string,
): Promise<SessionCaller | undefined> {
  const found = await sessionByHash(deps, hashSecret(token));
  if (found === undefined) return undefined;
  const { session, hasEnded, allowedOrigins } = found;
  const end = session.expiresAt <= deps.clock.now() ? 'expired' : undefined;
  return {
    kind: 'session',
    session,
    ended: hasEnded ? 'used' : end,
    allowedOrigins: allowedOrigins.length === 0 ? [] : [...allowedOrigins, deps.ownOrigin],
  };
}
