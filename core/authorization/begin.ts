import { checkFields, type FormField, type JsonObject } from '#contract';
import { AUTH_MODES } from '../auth-modes/index.ts';
import type { Catalogue, Provider } from '../catalogue/catalogue.ts';
import { allows, type ConnectSession } from '../connect-sessions/session.ts';
import { connectionById } from '../connections/connection-store.ts';
import { environmentById } from '../environments/environment-store.ts';
import { ServiceError } from '../errors.ts';
import { providerOf, requireIntegration } from '../integrations/integrations.ts';
import { modeInput } from '../integrations/mode-input.ts';
import type { Clock } from '../kit/clock.ts';
import { hashSecret, newSecret } from '../kit/random-id.ts';
import type { Plugins } from '../plugin-host/plugins.ts';
import { type FlowStoreDeps, insertFlow } from './flow-store.ts';

/** How long a user may take at the provider. */
const FLOW_MS = 15 * 60_000;

export interface BeginDeps extends FlowStoreDeps {
  readonly clock: Clock;
  readonly catalogue: Catalogue;
  readonly plugins: Plugins;
  readonly baseUrl: string;
}

/** What a browser asks for. */
export interface BeginRequest {
  readonly session: ConnectSession;
  readonly uniqueKey: string;
  /** Connection configuration that the user typed. */
  readonly params: Readonly<Record<string, string>>;
  /** The random ID in the browser's flow cookie; the flow belongs to that browser. */
  readonly browserId: string;
}

/**
 * Begins an authorization: session and integration in, the provider's address out. What comes back is `finishAuthorization`'s.
 *
 * @returns where to send the browser
 * @throws ServiceError `integration_not_allowed`, `unknown_provider_config`, `invalid_auth_mode`, `missing_client_id`,
 * `invalid_query_params`
 */
export async function beginAuthorization(deps: BeginDeps, request: BeginRequest): Promise<string> {
  const { session, uniqueKey } = request;
  if (!allows(session, uniqueKey))
    throw new ServiceError('integration_not_allowed', `this connect session does not allow "${uniqueKey}"`);
  const integration = await requireIntegration(deps, session.environmentId, uniqueKey);
  const provider = providerOf(deps.catalogue, integration);
  const mode = AUTH_MODES[provider.definition.auth_mode];
  if (mode?.begin === undefined) throw new ServiceError('invalid_auth_mode', `"${uniqueKey}" is not connected by a redirect`);

  const connectionConfig = await configuration(deps, request, provider);
  const state = newSecret();
  const rules = deps.plugins.of(provider.slug).auth;
  const redirect = mode.begin(modeInput(integration, provider, { connectionConfig, rules }), {
    state,
    redirectUri: await redirectUri(deps, session.environmentId),
    authorizationParams: {},
  });
  await insertFlow(deps, {
    environmentId: session.environmentId,
    sessionId: session.id,
    integrationId: integration.id,
    stateHash: hashSecret(state),
    browserHash: hashSecret(request.browserId),
    connectionConfig,
    modeSecrets: redirect.secrets,
    expiresAt: new Date(deps.clock.now().getTime() + FLOW_MS),
  });
  return redirect.url;
}

/** The environment's own callback (which answers 308 to ours) or ours. Never from a `Host` header. */
async function redirectUri(deps: BeginDeps, environmentId: number): Promise<string> {
  const environment = await environmentById(deps.db, environmentId);
  return environment?.callbackUrl ?? `${deps.baseUrl}/oauth/callback`;
}

/** What the connection had, what the user typed, and over both what the backend fixed. Checked as a whole. */
async function configuration(deps: BeginDeps, request: BeginRequest, provider: Provider): Promise<JsonObject> {
  const { session, uniqueKey } = request;
  const params = Object.fromEntries(Object.entries(request.params).filter(([, value]) => value !== ''));
  const fields = provider.definition.connection_config ?? {};
  const fixed = session.defaults[uniqueKey] ?? {};
  const known = session.reconnectId === null ? undefined : await connectionById(deps, session.environmentId, session.reconnectId);
  const faults = [
    ...Object.keys(params).flatMap((name) => mayNotBeSet(name, fields)),
    ...checkFields(fields, { ...known?.connectionConfig, ...params, ...fixed }, { allowUnknown: true }),
  ];
  if (faults.length > 0) {
    const details = faults.map((fault) => ({ ...fault, path: ['params', ...fault.path] }));
    throw new ServiceError('invalid_query_params', faults.map((fault) => fault.message).join(' '), { details });
  }
  return { ...params, ...fixed };
}

function mayNotBeSet(name: string, fields: Readonly<Record<string, FormField>>) {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field !== undefined && field.automated !== true && field.hidden !== true) return [];
  return [{ code: 'unrecognized_key', message: `"${name}" cannot be set here.`, path: [name] }];
}
