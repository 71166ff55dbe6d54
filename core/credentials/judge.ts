import type { TokenFailure } from '../auth-modes/auth-mode.ts';
import { isDue, isExpired, isTooSoon } from './due-store.ts';
import type { Lease } from './lease-store.ts';

/** A token as young as this is not refused for its age: renewing it again would only be a loop. */
const YOUNG_MS = 5_000;

/** What is asked: a renewal in any case, one after the provider answered 401, or just credentials that work. */
export type Wish = 'working' | 'after401' | 'renewed';

/** How a connection stands, and how long its token was to live; undefined when no lifetime was stated. */
export type Standing = Omit<Lease, 'holder'> & { readonly lifetimeMs: number | undefined };

/**
 * `serve`: what is stored will do. `refresh`: call the provider. `back_off`: it would be time, but the provider failed a
 * moment ago. `needs_user`: so the provider decided before. `expired`: the token is over and cannot be renewed.
 */
export type Judgement = 'serve' | 'refresh' | 'back_off' | 'needs_user' | 'expired';

export function judge(standing: Standing, wish: Wish, marginSeconds: number): Judgement {
  const { state, refreshable, refreshAfter, now } = standing;
  const canRevive = wish === 'renewed' && refreshable;
  if (state === 'needs_reauth' && !canRevive) return 'needs_user';
  if (!refreshable) return isExpired(standing) ? 'expired' : 'serve';
  if (wish === 'renewed') return 'refresh';
  if (!(wish === 'after401' ? isOldEnough(standing) : isDue(standing, marginSeconds))) return 'serve';
  return refreshAfter !== null && refreshAfter > now ? 'back_off' : 'refresh';
}

function isOldEnough(standing: Standing): boolean {
  return !isTooSoon(standing) && (standing.generation === 1 || ageMs(standing) >= YOUNG_MS);
}

function ageMs({ now, refreshedAt }: Standing): number {
  return now.getTime() - refreshedAt.getTime();
}

/** Why a connection is `degraded`. @param isAskedWait whether its back-off is as long as the provider's `Retry-After` */
export function degradedCause(failure: TokenFailure, isAskedWait: boolean): string {
  if (failure.status === 429) return 'rate_limited';
  if (isAskedWait) return 'retry_after';
  return {
    transient: 'provider_unavailable',
    unknown: 'answer_lost',
    malformed: 'malformed_answer',
    refused: 'provider_unavailable',
  }[failure.kind];
}

/**
 * No complete token answer came although the provider may have given one: with rotation, the stored refresh token may be
 * spent.
 */
export function maySpendToken({ kind }: TokenFailure): boolean {
  return kind === 'unknown' || kind === 'malformed';
}
