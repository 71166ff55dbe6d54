import type { JsonObject } from '#contract';
import type { Tags } from '../connections/connection.ts';
import { findConnection } from '../connections/connection-store.ts';
import { unknownConnection } from '../connections/connections.ts';
import { ServiceError } from '../errors.ts';
import { requireIntegration } from '../integrations/integrations.ts';
import type { Clock } from '../kit/clock.ts';
import { hashSecret, newSessionToken } from '../kit/random-id.ts';
import type { ConnectSession } from './session.ts';
import { insertSession, liveSessionByHash, type SessionStoreDeps } from './session-store.ts';

/** Interface contract, "Limits": connect link validity. */
export const SESSION_MS = 30 * 60_000;

export interface SessionDeps extends SessionStoreDeps {
  readonly clock: Clock;
}

export interface WantedSession {
  readonly tags: Tags;
  readonly allowedIntegrations: readonly string[] | null;
  readonly defaults: Readonly<Record<string, JsonObject>>;
}

export interface NewSession {
  readonly token: string;
  readonly expiresAt: Date;
}

/** @throws ServiceError `unknown_provider_config` for an integration that does not exist */
export async function createSession(deps: SessionDeps, environmentId: number, wanted: WantedSession): Promise<NewSession> {
  for (const key of new Set([...(wanted.allowedIntegrations ?? []), ...Object.keys(wanted.defaults)])) {
    await requireIntegration(deps, environmentId, key);
  }
  return store(deps, { environmentId, ...wanted, reconnectId: null });
}

/**
 * A session that authorizes an existing connection again. @throws ServiceError `unknown_provider_config`,
 * `unknown_connection`
 */
export async function createReconnectSession(
  deps: SessionDeps,
  environmentId: number,
  wanted: { readonly connectionId: string; readonly integrationId: string },
): Promise<NewSession> {
  await requireIntegration(deps, environmentId, wanted.integrationId);
  const address = { environmentId, providerConfigKey: wanted.integrationId, connectionId: wanted.connectionId };
  const connection = await findConnection(deps, address);
  if (connection === undefined) throw unknownConnection(address);
  return store(deps, {
    environmentId,
    tags: connection.tags,
    allowedIntegrations: [wanted.integrationId],
    defaults: {},
    reconnectId: connection.id,
  });
}

/** @throws ServiceError `unknown_connect_session_token`: never existed, ended or expired, all the same */
export async function requireSession(deps: SessionDeps, token: string): Promise<ConnectSession> {
  const session = await liveSessionByHash(deps, hashSecret(token), deps.clock.now());
  if (session !== undefined) return session;
  throw new ServiceError(
    'unknown_connect_session_token',
    'this connect session has ended, expired or never existed; create a new one',
  );
}

async function store(deps: SessionDeps, session: Omit<ConnectSession, 'id' | 'expiresAt'>): Promise<NewSession> {
  const token = newSessionToken();
  const expiresAt = new Date(deps.clock.now().getTime() + SESSION_MS);
  await insertSession(deps, { ...session, expiresAt, tokenHash: hashSecret(token) });
  return { token, expiresAt };
}
