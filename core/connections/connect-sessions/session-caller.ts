import type { StoreDeps } from '../../db/store-deps.ts';
import type { Clock } from '../../kit/clock.ts';
import { hashSecret } from '../../kit/random-id.ts';
import type { ConnectSession } from './session.ts';
import { type SessionEnd, sessionByHash } from './session-store.ts';

/** A browser that presented a connect session token. Its session is loaded only once, when the token is checked. */
export interface SessionCaller {
  readonly kind: 'session';
  readonly session: ConnectSession;
  /** Why the session has ended; undefined while it is valid. Routes refuse ended sessions unless they declare otherwise. */
  readonly ended?: SessionEnd | undefined;
  /** Origins of the pages that may use the session; empty: any. */
  readonly allowedOrigins: readonly string[];
}

/**
 * Returns the caller that a connect session token belongs to; undefined when the session never existed or no longer exists.
 *
 * @param deps.ownOrigin the origin of this service, whose own pages may always use the session
 */
export async function sessionCaller(
  deps: StoreDeps & { readonly clock: Clock } & { readonly ownOrigin: string },
  token: string,
): Promise<SessionCaller | undefined> {
  const found = await sessionByHash(deps, hashSecret(token));
  if (found === undefined) return undefined;
  const { session, hasEnded, isUsed, allowedOrigins } = found;
  const end = hasEnded || session.expiresAt <= deps.clock.now() ? 'expired' : undefined;
  return {
    kind: 'session',
    session,
    ended: isUsed ? 'used' : end,
    allowedOrigins: allowedOrigins.length === 0 ? [] : [...allowedOrigins, deps.ownOrigin],
  };
}
