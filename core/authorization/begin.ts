import { checkFields, type FormField, type JsonObject } from '#contract';
import { AUTH_MODES } from '../auth-modes/index.ts';
import type { Catalogue, Provider } from '../catalogue/catalogue.ts';
import { allows, type ConnectSession } from '../connect-sessions/session.ts';
import { connectionById } from '../connections/connection-store.ts';
import { isMissingReference } from '../db/missing-reference.ts';
import { environmentById } from '../environments/environment-store.ts';
import { ServiceError } from '../errors.ts';
import { providerOf, requireIntegration } from '../integrations/integrations.ts';
import { modeInput } from '../integrations/mode-input.ts';
import type { Clock } from '../kit/clock.ts';
import { hashSecret, newSecret } from '../kit/random-id.ts';
import type { Plugins } from '../plugin-host/plugins.ts';
import { type FlowStoreDeps, insertFlow, type NewFlow } from './flow-store.ts';

/** How long a user may take at the provider. */
const FLOW_MS = 15 * 60_000;

export interface BeginDeps extends FlowStoreDeps {
  readonly clock: Clock;
  readonly catalogue: Catalogue;
  readonly plugins: Plugins;
  readonly baseUrl: string;
}

/** What a browser asks for. */
interface BeginRequest {
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
 *   `invalid_query_params`
 */
export async function beginAuthorization(deps: BeginDeps, request: BeginRequest): Promise<string> {
  const { session, uniqueKey } = request;
  if (!allows(session, uniqueKey))
    throw new ServiceError('integration_not_allowed', `this connect session does not allow "${uniqueKey}"`);
  const integration = await requireIntegration(deps, session.environmentId, uniqueKey);
  const provider = providerOf(deps.catalogue, integration);
  const mode = AUTH_MODES[provider.definition.auth_mode];
  if (mode?.begin === undefined) throw new ServiceError('invalid_auth_mode', `"${uniqueKey}" is not connected by a redirect`);

  const { added, whole } = await configuration(deps, request, provider);
  const state = newSecret();
  const rules = deps.plugins.of(provider.slug).auth;
  const redirect = mode.begin(modeInput(integration, provider, { connectionConfig: whole, rules }), {
    state,
    redirectUri: await redirectUri(deps, session.environmentId),
    authorizationParams: {},
  });
  await storeFlow(deps, {
    environmentId: session.environmentId,
    sessionId: session.id,
    integrationId: integration.id,
    stateHash: hashSecret(state),
    browserHash: hashSecret(request.browserId),
    connectionConfig: added,
    modeSecrets: redirect.secrets,
    expiresAt: new Date(deps.clock.now().getTime() + FLOW_MS),
  });
  return redirect.url;
}

/** @throws ServiceError `unknown_connect_session_token` when the session was erased meanwhile */
async function storeFlow(deps: BeginDeps, flow: NewFlow): Promise<void> {
  try {
    await insertFlow(deps, flow);
  } catch (cause) {
    if (!isMissingReference(cause)) throw cause;
    throw new ServiceError('unknown_connect_session_token', 'this connect session has just ended', { cause });
  }
}

/** The environment's own callback (which answers 308 to ours) or ours. Never from a `Host` header. */
async function redirectUri(deps: BeginDeps, environmentId: number): Promise<string> {
  const environment = await environmentById(deps.db, environmentId);
  return environment?.callbackUrl ?? `${deps.baseUrl}/oauth/callback`;
}

interface Configuration {
  /** What this flow brings. */
  readonly added: JsonObject;
  /** Over what the connection had. */
  readonly whole: JsonObject;
}

/** What the connection had, what the user typed, and over both what the backend fixed. Checked as a whole. */
async function configuration(deps: BeginDeps, request: BeginRequest, provider: Provider): Promise<Configuration> {
  const { session, uniqueKey } = request;
  const params = Object.fromEntries(Object.entries(request.params).filter(([, value]) => value !== ''));
  const fields = provider.definition.connection_config ?? {};
  const fixed = session.defaults[uniqueKey] ?? {};
  const known = session.reconnectId === null ? undefined : await connectionById(deps, session.environmentId, session.reconnectId);
  const added = { ...params, ...fixed };
  const whole = { ...known?.connectionConfig, ...added };
  const faults = [
    ...Object.keys(params).flatMap((name) => mayNotBeSet(name, fields)),
    ...checkFields(fields, whole, { allowUnknown: true }),
  ];
  if (faults.length > 0) {
    const details = faults.map((fault) => ({ ...fault, path: ['params', ...fault.path] }));
    throw new ServiceError('invalid_query_params', faults.map((fault) => fault.message).join(' '), { details });
  }
  return { added, whole };
}

function mayNotBeSet(name: string, fields: Readonly<Record<string, FormField>>) {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field !== undefined && field.automated !== true && field.hidden !== true) return [];
  return [{ code: 'unrecognized_key', message: `"${name}" cannot be set here.`, path: [name] }];
}
