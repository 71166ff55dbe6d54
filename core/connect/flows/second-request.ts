import { setTimeout as delay } from 'node:timers/promises';
import type { LifecycleDeps } from '../deps.ts';
import { FlowFailure } from './flow-failure.ts';
import { type Connected, type FlowOutcome, repeatOutcome, type Visited } from './flow-outcome.ts';
import { findUsedFlow, type PresentedState, type UsedFlow } from './flow-store.ts';

/** How often the row is polled, in milliseconds: the exchange may be in progress on another instance. */
const POLL_MS = 250;
/** How long a request waits, in milliseconds: less than one minute, the usual timeout of load balancers. */
const MAX_WAIT_MS = 50_000;

const CHOOSING: Connected = { name: '', audience: { displayName: null, email: null }, isChoosing: true };

/**
 * Handles a request whose state was used before: a reload, a second tab, a link opened twice. It shows the page of the first
 * request and waits while that is exchanging the code. Once the state has expired, it shows that the attempt is over.
 */
export async function secondVisit(deps: LifecycleDeps, presented: PresentedState): Promise<Visited> {
  const first = await findUsedFlow(deps, presented);
  if (first === undefined) return { mode: undefined, result: new FlowFailure('state_mismatch') };
  const { mode, environmentId } = first;
  try {
    return { mode, environmentId, result: await waitForOutcome(deps, { presented, first }) };
  } catch (failure) {
    if (failure instanceof FlowFailure) return { mode, environmentId, result: failure };
    throw failure;
  }
}

interface SecondRequest {
  readonly presented: PresentedState;
  readonly first: UsedFlow;
}

/**
 * @throws FlowFailure the failure of the first request; `already_connected` or `state_mismatch` if its state has expired,
 *   `cancelled` if it was dropped; `still_running` if it takes too long
 */
async function waitForOutcome(deps: LifecycleDeps, { presented, first }: SecondRequest): Promise<Connected> {
  if (first.isDropped) throw new FlowFailure('cancelled', { logId: noteDropped(deps, first) });
  if (first.outcome !== null && first.hasExpired) throw endedBefore(first.outcome);
  if (first.outcome !== null) return repeatOutcome(first.outcome);
  if (first.isChoosing) return CHOOSING;

  const timeout = AbortSignal.timeout(MAX_WAIT_MS);
  while (!timeout.aborted) {
    const flow = await findUsedFlow(deps, presented);
    if (flow?.outcome) return repeatOutcome(flow.outcome);
    if (flow?.isChoosing) return CHOOSING;
    // The lease of the first request has expired.
    if (!flow?.isExchanging) throw new FlowFailure('state_mismatch');
    await delay(POLL_MS);
  }
  throw new FlowFailure('still_running');
}

/** Logs that a user came back to a flow that was cancelled or replaced. @returns the ID of the log entry */
function noteDropped({ activity }: LifecycleDeps, { environmentId }: UsedFlow): string {
  const operation = activity.begin({ type: 'auth', operation: 'authorization', environmentId });
  operation.note('info', 'the user came back to a flow that was cancelled or replaced; nothing was connected');
  operation.end('cancelled');
  return operation.id;
}

function endedBefore({ failure, name, audience }: FlowOutcome): FlowFailure {
  const code = failure === undefined ? 'already_connected' : 'state_mismatch';
  return new FlowFailure(code, { subject: name, ...(audience !== null && { audience }) });
}
