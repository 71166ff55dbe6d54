import type { CredentialsDeps } from './deps.ts';
import type { Lease } from './lease-store.ts';

/** However long its owner's session stands. */
export const LONGEST_LEASE_SECONDS = 3_600;

/** Of a lease; the README beside this file says what each means. */
export type HolderState = 'none' | 'holds' | 'expired' | 'gone';

/** Who may spend the refresh token: only while it does not say `holds` may a call be begun. Others' deaths show in ten looks. */
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
  // Owners that live write their tokens now.
  const wasAway = reconnectedAtMs !== undefined && performance.now() - reconnectedAtMs < graceMs;
  if (!isExpired || wasAway) return 'holds';
  const isTooOld = now.getTime() - claimedAt.getTime() >= LONGEST_LEASE_SECONDS * 1000;
  return !isTooOld && (await instances.stands(owner)) ? 'holds' : 'expired';
}
