import { checkFields, type JsonObject } from '#contract';
import type { Tags } from '../connections/connection.ts';
import { requireConnection, unknownConnection } from '../connections/connections.ts';
import { isMissingReference } from '../db/missing-reference.ts';
import { ServiceError } from '../errors.ts';
import { providersByKey } from '../integrations/integration-store.ts';
import { type IntegrationDeps, requireIntegration, unknownIntegration } from '../integrations/integrations.ts';
import type { Clock } from '../kit/clock.ts';
import { hashSecret, newSessionToken } from '../kit/random-id.ts';
import type { ConnectSession } from './session.ts';
import { insertSession, liveSessionByHash, type SessionStoreDeps } from './session-store.ts';

/** Interface contract, "Limits": connect link validity. */
const SESSION_MS = 30 * 60_000;

export interface SessionDeps extends SessionStoreDeps {
  readonly clock: Clock;
}

interface WantedSession {
  readonly tags: Tags;
  readonly allowedIntegrations: readonly string[] | null;
  readonly defaults: Readonly<Record<string, JsonObject>>;
}

export interface NewSession {
  readonly token: string;
  readonly expiresAt: Date;
}

/** @throws ServiceError `unknown_provider_config` for an integration that does not exist, `invalid_body` for a wrong preset */
export async function createSession(
  deps: SessionDeps & Pick<IntegrationDeps, 'catalogue'>,
  environmentId: number,
  wanted: WantedSession,
): Promise<NewSession> {
  const keys = [...(wanted.allowedIntegrations ?? []), ...Object.keys(wanted.defaults)];
  const providers = await providersByKey(deps.db, environmentId, keys);
  for (const key of keys) if (!providers.has(key)) throw unknownIntegration(key);
  checkPresets(deps, wanted.defaults, providers);
  return store(deps, { environmentId, ...wanted, reconnectId: null });
}

/**
 * A session that authorizes an existing connection again.
 *
 * @throws ServiceError `unknown_provider_config`, `unknown_connection`
 */
export async function createReconnectSession(
  deps: SessionDeps,
  environmentId: number,
  wanted: { readonly connectionId: string; readonly integrationId: string },
): Promise<NewSession> {
  await requireIntegration(deps, environmentId, wanted.integrationId);
  const address = { environmentId, providerConfigKey: wanted.integrationId, connectionId: wanted.connectionId };
  const connection = await requireConnection(deps, address);
  const session = { environmentId, tags: connection.tags, allowedIntegrations: [wanted.integrationId], defaults: {} };
  try {
    return await store(deps, { ...session, reconnectId: connection.id });
  } catch (cause) {
    // Erased since it was found.
    if (isMissingReference(cause)) throw unknownConnection(address);
    throw cause;
  }
}

/** The session of a token; undefined when it has ended, expired or never was. */
export function liveSession(deps: SessionDeps, token: string): Promise<ConnectSession | undefined> {
  return liveSessionByHash(deps, hashSecret(token), deps.clock.now());
}

/** @throws ServiceError `unknown_connect_session_token`: never existed, ended or expired, all the same */
export async function requireSession(deps: SessionDeps, token: string): Promise<ConnectSession> {
  const session = await liveSession(deps, token);
  if (session !== undefined) return session;
  throw new ServiceError(
    'unknown_connect_session_token',
    'this connect session has ended, expired or never existed; create a new one',
  );
}

/**
 * A wrong preset is told to the backend that sent it, not to the end user who meets it. What is missing the user may still
 * type.
 */
function checkPresets(
  { catalogue }: Pick<IntegrationDeps, 'catalogue'>,
  defaults: WantedSession['defaults'],
  providers: ReadonlyMap<string, string>,
): void {
  const details = Object.entries(defaults).flatMap(([key, config]) => {
    const fields = catalogue.find(providers.get(key) ?? '')?.definition.connection_config;
    const faults = checkFields(fields, config, { allowUnknown: true }).filter(({ code }) => code !== 'required');
    const path = ['integrations_config_defaults', key, 'connection_config'];
    return faults.map((fault) => ({ ...fault, path: [...path, ...fault.path] }));
  });
  if (details.length > 0)
    throw new ServiceError('invalid_body', 'integrations_config_defaults do not fit the providers', { details });
}

async function store(deps: SessionDeps, session: Omit<ConnectSession, 'id' | 'expiresAt'>): Promise<NewSession> {
  const token = newSessionToken();
  const expiresAt = new Date(deps.clock.now().getTime() + SESSION_MS);
  await insertSession(deps, { ...session, expiresAt, tokenHash: hashSecret(token) });
  return { token, expiresAt };
}
