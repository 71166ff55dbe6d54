import type { FlowStart } from '../auth-modes/auth-mode.ts';
import { modeNamed } from '../auth-modes/index.ts';
import type { ConnectSession } from '../connect-sessions/session.ts';
import { isMissingReference, isTaken } from '../db/missing-reference.ts';
import { type Environment, environmentById } from '../environments/environment-store.ts';
import { ServiceError } from '../errors.ts';
import { clientDocumentUrl } from '../integrations/client-document.ts';
import { fingerprintOf } from '../integrations/effective-client.ts';
import type { Integration } from '../integrations/integration.ts';
import { modeInput } from '../integrations/mode-input.ts';
import { hasOwnCallback, redirectUri } from '../integrations/redirect-uri.ts';
import { hashSecret, newSecret } from '../kit/random-id.ts';
import { beginOperation, modeDeps } from './attempt.ts';
import { authorizationParams } from './authorization-params.ts';
import { readConfiguration } from './configuration.ts';
import type { AuthorizationDeps } from './deps.ts';
import { recordFailure } from './failure-record.ts';
import { insertFlow, type NewFlow } from './flow-store.ts';
import { asOwnApp, ownAppOf } from './own-app.ts';
import { findTarget } from './target.ts';

/** How long a user may take at the provider. The session may expire meanwhile. */
const FLOW_MS = 60 * 60_000;

/** A browser's request. */
interface BeginRequest {
  readonly session: ConnectSession;
  readonly uniqueKey: string;
  /** Connection configuration entered by the user. */
  readonly params: Readonly<Record<string, string>>;
  /** The random ID in the flow cookie, which binds the flow to the browser. */
  readonly browserId: string;
  /** The name that a user interface gives the flow, which thereby says that it can let the user choose. */
  readonly flowId?: string | undefined;
}

/**
 * Starts an authorization. `finishAuthorization` handles its callback.
 *
 * @returns the URL to redirect the browser to
 * @throws ServiceError `integration_not_allowed`, `unknown_provider_config`, `invalid_auth_mode`, `missing_client_id`,
 *   `unknown_connection`, `invalid_query_params`, `conflict`; `provider_unavailable`, `connection_test_failed` of modes that call the provider
 */
export async function beginAuthorization(deps: AuthorizationDeps, request: BeginRequest): Promise<string> {
  const { session, uniqueKey } = request;
  const target = await findTarget(deps, session, uniqueKey);
  const { integration, provider, known } = target;
  const mode = modeNamed(provider.definition.auth_mode);
  if (mode.begin === undefined) throw new ServiceError('invalid_auth_mode', `"${uniqueKey}" is not connected by a redirect`);

  const { added, whole } = readConfiguration({ ...request, provider, known });
  const state = newSecret();
  const rules = deps.plugins.of(provider.slug).auth;
  const ofIntegration = modeInput(integration, provider, { connectionConfig: whole, rules });
  const input = asOwnApp(ofIntegration, ownAppOf(target));
  const environment = await environmentById(deps.db, session.environmentId);
  const redirect = await mode
    .begin(await modeDeps(deps), input, {
      state,
      redirectUri: redirectUri(integration, provider, { baseUrl: deps.baseUrl, environment }),
      authorizationParams: authorizationParams(target),
      ...documentOf(deps, integration, environment),
    })
    .catch((cause: unknown) => {
      if (isProviderFault(cause)) recordFailure(beginOperation(deps, session.environmentId, target), cause);
      throw cause;
    });
  await storeFlow(deps, {
    environmentId: session.environmentId,
    sessionId: session.id,
    integrationId: integration.id,
    stateHash: hashSecret(state),
    browserHash: hashSecret(request.browserId),
    connectionConfig: added,
    modeSecrets: redirect.secrets,
    clientFingerprint: fingerprintOf(ofIntegration.client),
    publicId: request.flowId,
    callbackKey: hasOwnCallback(integration, provider) ? integration.uniqueKey : undefined,
    expiresAt: new Date(deps.clock.now().getTime() + FLOW_MS),
  });
  return redirect.url;
}

function documentOf(
  { baseUrl }: Pick<AuthorizationDeps, 'baseUrl'>,
  { uniqueKey }: Integration,
  environment: Environment | undefined,
): Pick<FlowStart, 'clientDocumentUrl'> {
  if (environment === undefined) return {};
  const address = { baseUrl, environmentUuid: environment.uuid, integrationKey: uniqueKey };
  return { clientDocumentUrl: clientDocumentUrl(address) };
}

/** What a developer cannot see in the request, and so finds in the operation log. */
function isProviderFault(cause: unknown): boolean {
  return cause instanceof ServiceError && (cause.code === 'connection_test_failed' || cause.code === 'provider_unavailable');
}

/** @throws ServiceError `unknown_connect_session_token` if the session was deleted in the meantime */
async function storeFlow(deps: AuthorizationDeps, flow: NewFlow): Promise<void> {
  try {
    await insertFlow(deps, flow);
  } catch (cause) {
    if (isTaken(cause)) throw new ServiceError('conflict', 'this session has a flow of this ID already', { cause });
    if (!isMissingReference(cause)) throw cause;
    throw new ServiceError('unknown_connect_session_token', 'this connect session has just ended', { cause });
  }
}
