import type { JsonObject } from '#contract';
import type { FlowStart } from '../../auth-modes/auth-mode.ts';
import { modeNamed } from '../../auth-modes/index.ts';
import type { ConnectSession } from '../../connections/connect-sessions/session.ts';
import { endedError } from '../../connections/connect-sessions/session-end.ts';
import { clientDocumentUrl } from '../../connections/integrations/client-document.ts';
import { fingerprintOf } from '../../connections/integrations/effective-client.ts';
import type { Integration } from '../../connections/integrations/integration.ts';
import { modeInput } from '../../connections/integrations/mode-input.ts';
import { hasOwnCallback, redirectUri } from '../../connections/integrations/redirect-uri.ts';
import { isMissingReference, isTaken } from '../../db/missing-reference.ts';
import { ServiceError } from '../../errors.ts';
import { hashSecret, newSecret } from '../../kit/random-id.ts';
import { type Environment, environmentById } from '../../tenants/environments/environment-store.ts';
import type { LifecycleDeps } from '../deps.ts';
import { beginOperation, modeDeps } from './attempt.ts';
import { authorizationParams } from './authorization-params.ts';
import { releaseClientId } from './client-flow-store.ts';
import { readConfiguration } from './configuration.ts';
import { recordFailure } from './failure-record.ts';
import { insertFlow, type NewFlow } from './flow-store.ts';
import { asOwnApp, ownAppOf } from './own-app.ts';
import { type AuthorizationTarget, findTarget } from './target.ts';

/** How long a user may take at the provider, in milliseconds. If the connect session expires in this time, the flow continues. */
const FLOW_MS = 60 * 60_000;

/** A browser's request to begin an authorization. */
interface BeginRequest {
  readonly session: ConnectSession;
  readonly uniqueKey: string;
  /** The connection configuration entered by the user. */
  readonly params: Readonly<Record<string, string>>;
  /** The random ID in the flow cookie, which binds the flow to the browser. */
  readonly browserId: string;
  /**
   * The ID that a user interface gives the flow. Only a user interface in which the user can make a choice (`ChoiceNeeded`) sets
   * it.
   */
  readonly flowId?: string | undefined;
  /** The ID of the waiting client if an existing frontend (`ClientChannels`) began the authorization. */
  readonly clientId?: string | undefined;
}

/**
 * Starts an authorization. `finishAuthorization` handles its callback.
 *
 * @returns the URL to redirect the browser to
 * @throws ServiceError as `findTarget` and `readConfiguration` do; `invalid_auth_mode` if users are not redirected;
 *   `missing_client_id`; `conflict` if the session already has a flow with this ID; `unknown_connect_session_token` if the
 *   session was deleted in the meantime; `provider_unavailable`, `connection_test_failed` of modes that call the provider
 */
export async function beginAuthorization(deps: LifecycleDeps, request: BeginRequest): Promise<string> {
  const { session, uniqueKey } = request;
  const target = await findTarget(deps, session, uniqueKey);
  const { integration, provider, known } = target;
  requireRedirect(target);
  const { added } = readConfiguration({ ...request, provider, known });
  const start = await startAtProvider(deps, target, added).catch((cause: unknown) => {
    recordProviderFault(deps, target, cause);
    throw cause;
  });
  if (request.clientId !== undefined) await releaseClientId(deps.db, session, request.clientId);
  await storeFlow(deps, {
    environmentId: session.environmentId,
    sessionId: session.id,
    integrationId: integration.id,
    connectionConfig: added,
    browserHash: hashSecret(request.browserId),
    publicId: request.clientId ?? request.flowId,
    mode: request.clientId === undefined ? undefined : 'client',
    ...start.flow,
  });
  return start.url;
}

/** @throws ServiceError `invalid_auth_mode` if the integration is connected without a redirect */
function requireRedirect({ integration, provider }: Pick<AuthorizationTarget, 'integration' | 'provider'>): void {
  if (modeNamed(provider.definition.auth_mode).begin !== undefined) return;
  throw new ServiceError('invalid_auth_mode', `"${integration.uniqueKey}" is not connected by a redirect`);
}

interface Start {
  readonly url: string;
  readonly flow: Pick<NewFlow, 'stateHash' | 'modeSecrets' | 'clientFingerprint' | 'callbackKey' | 'expiresAt'>;
}

/**
 * Returns the URL of the provider's page, and the values that the flow stores for the callback.
 *
 * @param added the configuration that this authorization adds
 * @throws ServiceError as the mode does
 */
export async function startAtProvider(deps: LifecycleDeps, target: AuthorizationTarget, added: JsonObject): Promise<Start> {
  const { session, integration, provider, known } = target;
  const state = newSecret();
  const rules = deps.plugins.of(provider.slug).auth;
  const connectionConfig = { ...known?.connectionConfig, ...added };
  const ofIntegration = modeInput(integration, provider, { connectionConfig, rules });
  const input = asOwnApp(ofIntegration, ownAppOf(target));
  const environment = await environmentById(deps.db, session.environmentId);
  const redirect = await modeNamed(provider.definition.auth_mode).begin?.(await modeDeps(deps), input, {
    state,
    redirectUri: redirectUri(integration, provider, { baseUrl: deps.baseUrl, environment }),
    authorizationParams: authorizationParams(target),
    ...documentOf(deps, integration, environment),
  });
  if (redirect === undefined) throw new Error(`${provider.slug} has no page to redirect to`);
  return {
    url: redirect.url,
    flow: {
      stateHash: hashSecret(state),
      modeSecrets: redirect.secrets,
      clientFingerprint: fingerprintOf(ofIntegration.client),
      callbackKey: hasOwnCallback(integration, provider) ? integration.uniqueKey : undefined,
      expiresAt: new Date(deps.clock.now().getTime() + FLOW_MS),
    },
  };
}

function documentOf(
  { baseUrl }: { readonly baseUrl: string },
  { uniqueKey }: Integration,
  environment: Environment | undefined,
): Pick<FlowStart, 'clientDocumentUrl'> {
  if (environment === undefined) return {};
  const address = { baseUrl, environmentUuid: environment.uuid, integrationKey: uniqueKey };
  return { clientDocumentUrl: clientDocumentUrl(address) };
}

/**
 * Records a provider's failure in the operation log, since a developer cannot see it in the request.
 *
 * @returns the ID of the log entry; undefined for any other error
 */
export function recordProviderFault(deps: LifecycleDeps, target: AuthorizationTarget, cause: unknown): string | undefined {
  const isProviderFault =
    cause instanceof ServiceError && (cause.code === 'connection_test_failed' || cause.code === 'provider_unavailable');
  if (!isProviderFault) return undefined;
  const operation = beginOperation(deps, target.session.environmentId, target);
  recordFailure(operation, cause);
  return operation.id;
}

/** @throws ServiceError `unknown_connect_session_token` if the session was deleted in the meantime */
async function storeFlow(deps: LifecycleDeps, flow: NewFlow): Promise<void> {
  try {
    await insertFlow(deps, flow);
  } catch (cause) {
    if (isTaken(cause)) throw new ServiceError('conflict', 'this connect session already has a flow with this ID', { cause });
    if (!isMissingReference(cause)) throw cause;
    throw endedError('expired');
  }
}
