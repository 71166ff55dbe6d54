import type { CredentialsDeps } from './deps.ts';
import type { Lease } from './lease-store.ts';

/** The longest time that a lease is held, even if its owner's database session still exists. */
export const LONGEST_LEASE_SECONDS = 3_600;

/** The state of a lease; the README beside this file says what each value means. */
type HolderState = 'none' | 'holds' | 'expired' | 'gone';

/**
 * Returns the state of a lease, which decides who may spend the refresh token: no other call may start while it is `holds`. An
 * owner on another instance counts as dead only after ten consecutive queries without its session (`Instances`).
 */
export async function holderState(
  { instances, refreshing }: Pick<CredentialsDeps, 'instances' | 'refreshing'>,
  { holder, now }: Lease,
): Promise<HolderState> {
  if (holder === undefined) return 'none';
  const { owner, until, stamp, claimedAt } = holder;
  if (instances.isOurs(owner)) return refreshing.held.has(owner) ? 'holds' : 'gone';
  if (await instances.isGone(owner, stamp)) return 'gone';
  const graceMs = refreshing.times.graceSeconds * 1000;
  const isExpired = now.getTime() - until.getTime() >= graceMs;
  const { reconnectedAtMs } = instances;
  // The database has only just come back, so owners that are alive may still be writing their tokens.
  const wasAway = reconnectedAtMs !== undefined && performance.now() - reconnectedAtMs < graceMs;
  if (!isExpired || wasAway) return 'holds';
  const isTooOld = now.getTime() - claimedAt.getTime() >= LONGEST_LEASE_SECONDS * 1000;
  return !isTooOld && (await instances.stands(owner)) ? 'holds' : 'expired';
}
