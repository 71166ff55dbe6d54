import { setTimeout as delay } from 'node:timers/promises';
import type { AuthorizationDeps } from './deps.ts';
import { FlowFailure } from './flow-failure.ts';
import { type Connected, type FlowOutcome, repeatOutcome } from './flow-outcome.ts';
import { type BackInBrowser, findUsedFlow } from './flow-store.ts';

/** The exchange may be under way on another instance, so the row is asked. */
const POLL_MS = 250;
/** Below the minute after which usual load balancers give up. */
const PATIENCE_MS = 50_000;
/**
 * A request whose state has been used already: a reload, a second tab, a link that was opened twice. While the first request is
 * still exchanging the code, this one waits and shows the same page; a state that is over stays over.
 *
 * @throws FlowFailure what the first request failed with; `already_connected` and `state_mismatch` when it was over before;
 *   `still_running` when it takes too long
 */
export async function waitForOutcome(deps: AuthorizationDeps, back: BackInBrowser): Promise<Connected> {
  const first = await findUsedFlow(deps, back);
  if (first === undefined) throw new FlowFailure('state_mismatch');
  if (first.outcome !== null) throw isOver(first.outcome);

  const patience = AbortSignal.timeout(PATIENCE_MS);
  while (!patience.aborted) {
    const flow = await findUsedFlow(deps, back);
    if (flow?.outcome) return repeatOutcome(flow.outcome);
    // Whoever began the exchange is gone.
    if (!flow?.isExchanging) throw new FlowFailure('state_mismatch');
    await delay(POLL_MS);
  }
  throw new FlowFailure('still_running');
}

function isOver({ failure, name, audience }: FlowOutcome): FlowFailure {
  const code = failure === undefined ? 'already_connected' : 'state_mismatch';
  return new FlowFailure(code, { subject: name, ...(audience !== null && { audience }) });
}
