import { setTimeout as delay } from 'node:timers/promises';
import { modeNamed } from '../../auth-modes/index.ts';
import type { ConnectSession } from '../../connections/connect-sessions/session.ts';
import { lockSession } from '../../connections/connect-sessions/session-store.ts';
import { connectionById } from '../../connections/connection-store.ts';
import { integrationById } from '../../connections/integrations/integration-store.ts';
import { isTaken } from '../../db/missing-reference.ts';
import { withTransaction } from '../../db/transaction.ts';
import { ServiceError } from '../../errors.ts';
import { notingCalls } from '../../journal/operation-log/noting-calls.ts';
import { hashSecret } from '../../kit/random-id.ts';
import type { LifecycleDeps } from '../deps.ts';
import { ChoiceNeeded } from '../establish/connection-plan.ts';
import { beginOperation } from './attempt.ts';
import { checkForms, checkParams, type FormFault } from './check-entered.ts';
import { authorizeWith, type EnteredDetails } from './direct.ts';
import { admitFlow, establishFlow, failureOf, heartbeat, letChoose, openAttempt, recordFlowFailure } from './flow-attempt.ts';
import { FlowFailure, type FlowFailureCode } from './flow-failure.ts';
import type { FlowOutcome } from './flow-outcome.ts';
import type { FlowMode } from './flow-state.ts';
import type { ClaimedFlow } from './flow-store.ts';
import { announceFlow } from './flow-watcher.ts';
import { type FollowedFlow, findFollowedFlow } from './followed-flow.ts';
import { type AuthorizationTarget, findTarget } from './target.ts';
import { type CancelledFlow, cancelFlow, insertWindowFlow, requestHashOf, supersedeFlows } from './window-flow-store.ts';

/** How long after it was begun a flow can be launched. */
const LAUNCH_MS = 2 * 60_000;
const FORM_MS = 60 * 60_000;
/** How long a request that ends a flow waits for the one that begins it. */
const OVERTAKEN_MS = 2_000;
const OVERTAKEN_POLL_MS = 250;

/** A user interface's request. */
export interface FlowRequest {
  /** Made by the user interface. */
  readonly flowId: string;
  readonly uniqueKey: string;
  /** For a flow that leads to the provider's page: what its launch page will name it by. */
  readonly launchId?: string | undefined;
  readonly mode: FlowMode;
  readonly params: Readonly<Record<string, string>>;
  readonly credentials?: Readonly<Record<string, string>> | undefined;
}

/**
 * Begins a flow, in place of those of the session whose users have not come back. With entered credentials it has ended, or waits
 * for a choice, when this returns. The same request again is the same flow.
 *
 * @param requireLive throws if the session can begin none any more
 * @throws ServiceError `integration_not_allowed`, `unknown_provider_config`, `unknown_connection`, `invalid_body`, `conflict`,
 *   `unknown_connect_session_token`
 */
export async function beginFlow(
  deps: LifecycleDeps,
  session: ConnectSession,
  { requireLive, ...request }: FlowRequest & { requireLive(): void },
): Promise<FollowedFlow> {
  const repeated = await repeatedFlow(deps, session, request);
  if (repeated !== undefined) return repeated;
  requireLive();
  const target = await findTarget(deps, session, request.uniqueKey);
  const plan = planOf(deps, target, request);
  const flow = await storeFlow(deps, target, { request, plan });
  // The same request may have begun it meanwhile, and the session may have ended with it.
  if (flow instanceof ServiceError) return (await repeatedFlow(deps, session, request)) ?? raise(flow);
  announceFlow(deps, flow.id);
  if ('details' in plan) await connect(deps, flow, plan.details);
  return (await findFollowedFlow(deps, session, request.flowId)) ?? raise(ended());
}

/**
 * It makes no connection any more, wherever it is. The request may have overtaken the one that begins the flow: then it waits.
 *
 * @throws ServiceError `not_found`
 */
export async function endFlow(deps: LifecycleDeps, session: ConnectSession, flowId: string): Promise<void> {
  for (let waitedMs = 0; waitedMs <= OVERTAKEN_MS; waitedMs += OVERTAKEN_POLL_MS) {
    const flow = await cancelFlow(deps.db, session, { flowId, outcome: endedOutcome('cancelled') });
    if (flow !== undefined) {
      announceFlow(deps, flow.id);
      if (!flow.isAttended) await noteCancelled(deps, session, flow);
      return;
    }
    if ((await findFollowedFlow(deps, session, flowId)) !== undefined) return;
    await delay(OVERTAKEN_POLL_MS);
  }
  throw unknownFlow();
}

async function noteCancelled(deps: LifecycleDeps, session: ConnectSession, { integrationId }: CancelledFlow): Promise<void> {
  const { environmentId, reconnectId } = session;
  const integration = await integrationById(deps, environmentId, integrationId);
  const known = reconnectId === null ? undefined : await connectionById(deps, environmentId, reconnectId);
  const operation = beginOperation(deps, environmentId, integration && { integration, known, session });
  operation.note('info', 'the user gave up; nothing was connected');
  operation.end('cancelled');
}

export function unknownFlow(): ServiceError {
  return new ServiceError('not_found', 'this session has no such flow');
}

type Plan =
  | { readonly launchHash: Buffer; readonly added: EnteredDetails['added'] }
  | { readonly details: EnteredDetails }
  | { readonly fault: FormFault };

/** @throws ServiceError `invalid_body` for a request that no form makes; faults of what was entered are part of the flow */
function planOf(deps: LifecycleDeps, target: AuthorizationTarget, request: FlowRequest): Plan {
  const { launchId, params, credentials } = request;
  if (modeNamed(target.provider.definition.auth_mode).begin === undefined) {
    const entered = checkForms(deps, target, { params, credentials: credentials ?? {} });
    return 'fault' in entered ? entered : { details: entered.accepted };
  }
  if (credentials !== undefined) throw invalid('credentials', 'are entered at the provider');
  if (launchId === undefined) throw invalid('launch_id', 'is required where the user signs in at the provider');
  const entered = checkParams(target, params);
  return 'fault' in entered ? entered : { launchHash: hashSecret(launchId), added: entered.accepted.added };
}

function invalid(name: string, fault: string): ServiceError {
  const details = [{ code: 'invalid_value', message: fault, path: [name] }];
  return new ServiceError('invalid_body', `${name} ${fault}`, { details });
}

/** @returns why it cannot be begun, if it cannot: there is one of these IDs, or the session has ended */
async function storeFlow(
  deps: LifecycleDeps,
  { session, integration }: AuthorizationTarget,
  { request, plan }: { readonly request: FlowRequest; readonly plan: Plan },
): Promise<ClaimedFlow | ServiceError> {
  const launchHash = 'launchHash' in plan ? plan.launchHash : undefined;
  const lifetimeMs = launchHash === undefined ? FORM_MS : LAUNCH_MS;
  const flow = {
    session,
    integrationId: integration.id,
    publicId: request.flowId,
    mode: request.mode,
    state: 'fault' in plan ? 'failed' : launchHash === undefined ? 'verifying' : 'created',
    launchHash,
    connectionConfig: 'fault' in plan ? {} : 'details' in plan ? plan.details.added : plan.added,
    requestHash: hashOf(request),
    outcome: 'fault' in plan ? faultOutcome(integration.displayName, plan.fault) : undefined,
    expiresAt: new Date(deps.clock.now().getTime() + lifetimeMs),
  } as const;
  try {
    return await withTransaction(deps.db, async (trx) => {
      if (!(await lockSession(trx, session))) return ended();
      const superseded = await supersedeFlows(trx, session, endedOutcome('state_mismatch'));
      for (const rowId of superseded) announceFlow({ ...deps, db: trx }, rowId);
      return insertWindowFlow({ ...deps, db: trx }, flow);
    });
  } catch (cause) {
    if (isTaken(cause)) return launchTaken();
    throw cause;
  }
}

async function connect(deps: LifecycleDeps, flow: ClaimedFlow, details: EnteredDetails): Promise<void> {
  using _ = heartbeat(deps, flow);
  const attempt = await openAttempt(deps, flow);
  if (attempt instanceof FlowFailure) return;
  try {
    const authorized = await notingCalls(attempt.operation.note, () => authorizeWith(deps, attempt, details));
    const admitted = await admitFlow(deps, attempt, { authorized, choice: { canAsk: true } });
    if (admitted instanceof ChoiceNeeded) await letChoose(deps, attempt, { authorized, options: admitted.options });
    else await establishFlow(deps, attempt, admitted);
  } catch (cause) {
    await recordFlowFailure(deps, flow, await failureOf(deps, attempt, cause));
  }
}

/** @throws ServiceError `conflict` if the flow of this ID was begun by another request */
async function repeatedFlow(
  deps: LifecycleDeps,
  session: ConnectSession,
  request: FlowRequest,
): Promise<FollowedFlow | undefined> {
  const known = await requestHashOf(deps, session, request.flowId);
  if (known === undefined) return undefined;
  if (known !== hashOf(request)) throw new ServiceError('conflict', 'this session has another flow of this ID');
  return findFollowedFlow(deps, session, request.flowId);
}

function hashOf({ uniqueKey, launchId, mode, params, credentials }: FlowRequest): string {
  const sorted = (texts: FlowRequest['params'] = {}) => Object.entries(texts).sort(([one], [other]) => (one < other ? -1 : 1));
  const parts = [uniqueKey, launchId, mode, sorted(params), credentials && sorted(credentials)];
  return hashSecret(JSON.stringify(parts)).toString('hex');
}

function faultOutcome(name: string, { code, fields }: FormFault): FlowOutcome {
  return { failure: 'server_error', name, audience: null, error: { code, fields } };
}

function endedOutcome(failure: FlowFailureCode): FlowOutcome {
  return { failure, name: '', audience: null };
}

function ended(): ServiceError {
  return new ServiceError('unknown_connect_session_token', 'this connect session has just ended');
}

function launchTaken(): ServiceError {
  return new ServiceError('conflict', 'this launch_id was used before');
}

function raise(error: Error): never {
  throw error;
}
