import type { Instances } from '../db/instances.ts';
import type { Lease } from './lease-store.ts';
import type { Refreshing } from './refreshing.ts';

export interface HolderDeps {
  readonly instances: Pick<Instances, 'newOwner' | 'isOurs' | 'isGone' | 'reconnectedAtMs'>;
  readonly refreshing: Refreshing;
}

/** Of a lease; the README beside this file says what each means. */
export type HolderState = 'none' | 'holds' | 'silent' | 'gone';

/** Who may spend the refresh token: only while it does not say `holds` may a call be begun. Others' deaths show in ten looks. */
export async function holderState({ instances, refreshing }: HolderDeps, { holder, now }: Lease): Promise<HolderState> {
  if (holder === undefined) return 'none';
  const { owner, until, sign } = holder;
  if (instances.isOurs(owner)) return refreshing.held.has(owner) ? 'holds' : 'gone';
  const silenceMs = refreshing.times.silenceSeconds * 1000;
  const isSilent = now.getTime() - until.getTime() >= silenceMs;
  const { reconnectedAtMs } = instances;
  // Owners that live write their tokens now.
  const wasAway = reconnectedAtMs !== undefined && performance.now() - reconnectedAtMs < silenceMs;
  if (isSilent && !wasAway) return 'silent';
  return (await instances.isGone(owner, sign)) ? 'gone' : 'holds';
}
