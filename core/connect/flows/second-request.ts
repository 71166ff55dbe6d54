import { setTimeout as delay } from 'node:timers/promises';
import type { LifecycleDeps } from '../deps.ts';
import { FlowFailure } from './flow-failure.ts';
import { type Connected, type FlowOutcome, repeatOutcome, type Visited } from './flow-outcome.ts';
import { findUsedFlow, type PresentedState, type UsedFlow } from './flow-store.ts';

/** Interval at which a waiting request reads the flow's row, in milliseconds: another instance may be exchanging the code. */
const POLL_MS = 250;
/**
 * How long a second request waits for the first one, in milliseconds: less than one minute, the usual timeout of load balancers.
 */
const MAX_WAIT_MS = 50_000;

const CHOOSING: Connected = { name: '', audience: { displayName: null, email: null }, isChoosing: true };

/**
 * Handles a request whose `state` an earlier request has already used: a reload, a second tab, a link opened twice. The user sees
 * the result of the first request, after a wait if that one is still exchanging the code. If the state has expired, the user sees
 * that the flow is over.
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
 * @throws FlowFailure the failure of the first request; if the state has expired, `already_connected` after a success, otherwise
 *   `state_mismatch`; `state_mismatch` also if the first request was interrupted; `cancelled` if the flow was cancelled or
 *   replaced; `still_running` if the first request takes longer than `MAX_WAIT_MS`
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
    // The lease of the first request has expired without an outcome: its process has probably died.
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
