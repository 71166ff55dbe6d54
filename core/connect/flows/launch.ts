import { openSessionById } from '../../connections/connect-sessions/session-store.ts';
import { connectionById } from '../../connections/connection-store.ts';
import { integrationById } from '../../connections/integrations/integration-store.ts';
import { hashSecret } from '../../kit/random-id.ts';
import type { LifecycleDeps } from '../deps.ts';
import { recordProviderFault, startAtProvider } from './begin.ts';
import { failureCode, userMessage } from './failure-record.ts';
import { heartbeat } from './flow-attempt.ts';
import { FlowFailure } from './flow-failure.ts';
import { type FlowOutcome, outcomeOfFailure } from './flow-outcome.ts';
import { type ClaimedFlow, recordOutcome } from './flow-store.ts';
import { announceFlow } from './flow-watcher.ts';
import { claimLaunch, sendBrowser } from './launch-store.ts';
import type { AuthorizationTarget } from './target.ts';
import { uiErrorCode } from './ui-errors.ts';

/**
 * The next step of a launch page. `waiting`: its flow has not begun yet. `ended`: the flow was launched before, has failed, or is
 * too old.
 */
type Launch = { readonly state: 'waiting' | 'ended' } | { readonly state: 'ready'; readonly location: string };

/**
 * Sends a browser to the provider's page for the flow of the launch, once, and binds the flow to that browser.
 *
 * @param launch.browserId the ID in the browser's flow cookie
 */
export async function launchFlow(
  deps: LifecycleDeps,
  { launchId, browserId }: { readonly launchId: string; readonly browserId: string },
): Promise<Launch> {
  const flow = await claimLaunch(deps, hashSecret(launchId), deps.clock.now());
  if (flow === 'unknown') return { state: 'waiting' };
  if (flow === 'over') return { state: 'ended' };
  announceFlow(deps, flow.id);
  using _ = heartbeat(deps, flow);
  const target = await targetOf(deps, flow);
  if (target instanceof FlowFailure) return end(deps, flow, outcomeOfFailure(target));
  try {
    const start = await startAtProvider(deps, target, flow.connectionConfig);
    const isSent = await sendBrowser(deps, { ...flow, ...start.flow, browserHash: hashSecret(browserId) });
    announceFlow(deps, flow.id);
    return isSent ? { state: 'ready', location: start.url } : { state: 'ended' };
  } catch (cause) {
    const logId = recordProviderFault(deps, target, cause);
    if (logId === undefined) deps.log.debug('a flow could not be launched', { error: cause });
    return end(deps, flow, refusal(target, cause, logId));
  }
}

async function end(deps: LifecycleDeps, flow: ClaimedFlow, outcome: FlowOutcome): Promise<Launch> {
  await recordOutcome(deps.db, flow, outcome);
  announceFlow(deps, flow.id);
  return { state: 'ended' };
}

/** Loads the target of the flow. @returns a failure if a part of the target no longer exists */
async function targetOf(deps: LifecycleDeps, flow: ClaimedFlow): Promise<AuthorizationTarget | FlowFailure> {
  const { environmentId } = flow;
  const session = await openSessionById(deps, environmentId, flow.sessionId);
  if (session === undefined) return new FlowFailure('session_expired');
  const integration = await integrationById(deps, environmentId, flow.integrationId);
  const provider = integration && deps.catalogue.find(integration.provider);
  if (integration === undefined || provider === undefined) return new FlowFailure('integration_unavailable');
  if (session.reconnectId === null) return { session, integration, provider, known: undefined };
  const known = await connectionById(deps, environmentId, session.reconnectId);
  return known === undefined ? new FlowFailure('connection_deleted') : { session, integration, provider, known };
}

function refusal({ integration }: AuthorizationTarget, cause: unknown, logId: string | undefined): FlowOutcome {
  const facts = { subject: integration.displayName, logId, reason: userMessage(cause), cause };
  const code = uiErrorCode(cause);
  // The user has no credentials yet, so rejected ones are the integration's; entered fields were checked before, so an invalid
  // field is the integration's, too.
  const isOfIntegration = code === 'credentials_rejected' || code === 'field_invalid';
  return outcomeOfFailure(new FlowFailure(failureCode(cause), facts), {
    code: isOfIntegration ? 'integration_unavailable' : code,
  });
}
