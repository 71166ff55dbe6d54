import { setTimeout as delay } from 'node:timers/promises';
import type { AuthorizationDeps } from './deps.ts';
import { FlowFailure } from './flow-failure.ts';
import { type Connected, type FlowOutcome, repeatOutcome } from './flow-outcome.ts';
import { findUsedFlow, type PresentedState } from './flow-store.ts';

/** The exchange may be in progress on another instance, so the row is polled. */
const POLL_MS = 250;
/** Less than the usual timeout of load balancers, one minute. */
const MAX_WAIT_MS = 50_000;

const CHOOSING: Connected = { name: '', audience: { displayName: null, email: null }, isChoosing: true };

/**
 * Handles a request whose state was used before: a reload, a second tab, a link opened twice. While the first request is still
 * exchanging the code, this one waits and shows the same page; a flow that had ended before cannot be repeated.
 *
 * @throws FlowFailure that of the first request; `already_connected` or `state_mismatch` if that had ended before;
 *   `still_running` if it takes too long
 */
export async function waitForOutcome(deps: AuthorizationDeps, presented: PresentedState): Promise<Connected> {
  const first = await findUsedFlow(deps, presented);
  if (first === undefined) throw new FlowFailure('state_mismatch');
  if (first.outcome !== null) throw endedBefore(first.outcome);
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

function endedBefore({ failure, name, audience }: FlowOutcome): FlowFailure {
  const code = failure === undefined ? 'already_connected' : 'state_mismatch';
  return new FlowFailure(code, { subject: name, ...(audience !== null && { audience }) });
}
