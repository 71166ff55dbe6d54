import type { TokenFailure } from '../auth-modes/auth-mode.ts';
import { refusesClient } from '../auth-modes/refused-client.ts';
import { isDue, isExpired, isTooSoon } from './due-store.ts';
import type { Lease } from './lease-store.ts';

/** If a token younger than this is refused, that is not because of its age, so refreshing it again would only cause a loop. */
const YOUNG_MS = 5_000;

/** Why credentials are requested: to be used, after a 401 from the provider, or to be refreshed in any case. */
export type RefreshReason = 'use' | 'after401' | 'forced';

/** The state of a connection's token. `lifetimeMs` is undefined when no lifetime was stated. */
export type TokenState = Omit<Lease, 'holder'> & { readonly lifetimeMs: number | undefined };

/**
 * `serve`: the stored credentials are still good. `refresh`: the provider must be called. `back_off`: a refresh is due, but the
 * provider failed a moment ago. `needs_user`: the provider has ended the authorization. `expired`: the token has expired and
 * cannot be refreshed.
 */
export type RefreshDecision = 'serve' | 'refresh' | 'back_off' | 'needs_user' | 'expired';

export function decideRefresh(token: TokenState, reason: RefreshReason, marginSeconds: number): RefreshDecision {
  const { state, refreshable, refreshAfter, now } = token;
  const canRevive = reason === 'forced' && refreshable;
  if (state === 'needs_reauth' && !canRevive) return 'needs_user';
  if (!refreshable) return isExpired(token) ? 'expired' : 'serve';
  if (reason === 'forced') return 'refresh';
  if (!(reason === 'after401' ? isOldEnough(token) : isDue(token, marginSeconds))) return 'serve';
  return refreshAfter !== null && refreshAfter > now ? 'back_off' : 'refresh';
}

function isOldEnough(token: TokenState): boolean {
  const ageMs = token.now.getTime() - token.refreshedAt.getTime();
  return !isTooSoon(token) && (token.generation === 1 || ageMs >= YOUNG_MS);
}

/**
 * Returns the cause of the state `degraded`.
 *
 * @param isAskedWait true when the back-off is as long as the provider's `Retry-After`
 */
export function degradedCause(failure: TokenFailure, isAskedWait: boolean): string {
  if (failure.status === 429) return 'rate_limited';
  if (isAskedWait) return 'retry_after';
  if (refusesClient(failure)) return 'client_refused';
  return {
    transient: 'provider_unavailable',
    unknown: 'answer_lost',
    malformed: 'malformed_answer',
    refused: 'provider_unavailable',
  }[failure.kind];
}

/**
 * Returns whether the call may have spent the stored refresh token: no complete token response arrived, although the provider may
 * have sent one and rotated the token.
 */
export function maySpendToken({ kind }: TokenFailure): boolean {
  return kind === 'unknown' || kind === 'malformed';
}
