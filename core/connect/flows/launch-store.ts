import type { StoreDeps } from '../../db/store-deps.ts';
import type { AuthorizationFlowRow } from './flow-row.ts';
import {
  CLAIMED_COLUMNS,
  type ClaimedFlow,
  claimedFlow,
  type FlowSecrets,
  inState,
  leaseEnd,
  type SentBrowser,
  sealedSecrets,
} from './flow-store.ts';

type Deps = StoreDeps;

/**
 * Claims the flow of a launch; only one request succeeds. Returns `unknown` if there is no such flow yet, `over` if it can no
 * longer be launched.
 */
export async function claimLaunch(deps: Deps, launchHash: Buffer, now: Date): Promise<ClaimedFlow | 'unknown' | 'over'> {
  const { db } = deps;
  const [row] = await db<AuthorizationFlowRow>('authorization_flows')
    .where({ launch_hash: launchHash, flow_state: 'created' })
    .whereNull('outcome')
    .where('expires_at', '>', now)
    .update({ exchanging_until: leaseEnd(db), ...inState(db, 'opened') })
    .returning(CLAIMED_COLUMNS);
  if (row !== undefined) return claimedFlow(deps, row);
  const known = await db<AuthorizationFlowRow>('authorization_flows')
    .where({ launch_hash: launchHash })
    .first('flow_state', 'outcome', 'expires_at');
  if (known === undefined) return 'unknown';
  // The flow has begun since the first statement; `unknown` makes the page ask again.
  const isNew = known.flow_state === 'created' && known.outcome === null && known.expires_at > now;
  return isNew ? 'unknown' : 'over';
}

type Sent = Pick<ClaimedFlow, 'id' | 'environmentId'> & FlowSecrets & SentBrowser & { readonly expiresAt: Date };

/** Lets the flow wait for the callback of this browser. @returns false if it has ended in the meantime */
export async function sendBrowser({ db, keys }: Deps, flow: Sent): Promise<boolean> {
  const changed = await db<AuthorizationFlowRow>('authorization_flows')
    .where({ id: flow.id, environment_id: flow.environmentId, flow_state: 'opened' })
    .whereNull('outcome')
    .update({
      state_hash: flow.stateHash,
      browser_hash: flow.browserHash,
      secrets: sealedSecrets(keys, flow),
      exchanging_until: null,
      expires_at: flow.expiresAt,
      ...inState(db, 'redirected'),
    });
  return changed === 1;
}
