import { isMissingReference } from '../../db/missing-reference.ts';
import type { StoreDeps } from '../../db/store-deps.ts';
import { withTransaction } from '../../db/transaction.ts';
import type { Clock } from '../../kit/clock.ts';
import { hashSecret, newSessionToken } from '../../kit/random-id.ts';
import { checkOverride, keepOverrideLogin } from '../change-connection.ts';
import { requireConnection, unknownConnection } from '../connections.ts';
import { providersByKey } from '../integrations/integration-store.ts';
import { unknownIntegration } from '../integrations/integrations.ts';
import type { ConnectSessionsDeps } from './deps.ts';
import { type ConnectSession, REPLACEABLE, SESSION_DEFAULTS } from './session.ts';
import { attributeChange, checkPresets, checkReturnUrl, keptPresets, keysIn, type SessionRequest } from './session-request.ts';
import { insertSession } from './session-store.ts';

/** How long a connect session is valid, and with it its token and its link, in milliseconds. */
export const SESSION_MS = 30 * 60_000;

export interface NewSession {
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * Creates a connect session.
 *
 * @throws ServiceError `unknown_provider_config` for an integration that does not exist, `invalid_body` for an invalid preset,
 *   return URL or webhook URL, or too many tags
 */
export async function createSession(
  deps: ConnectSessionsDeps,
  environmentId: number,
  request: SessionRequest & Pick<ConnectSession, 'allowedIntegrations'>,
): Promise<NewSession> {
  await checkRequest(deps, environmentId, { request, keys: request.allowedIntegrations ?? [] });
  const { allowedIntegrations, overrides, returnUrl = null } = request;
  return store(deps, request, {
    ...SESSION_DEFAULTS,
    environmentId,
    ...attributeChange(request),
    ...keptPresets(request),
    allowedIntegrations,
    overrides,
    returnUrl,
  });
}

interface ReconnectRequest extends Pick<ConnectSession, 'allowAccountChange'> {
  readonly connectionId: string;
  readonly integrationId: string;
}

/**
 * Creates a session that reauthorizes an existing connection. What its backend does not set stays as it is in the connection.
 *
 * @throws ServiceError `unknown_connection`, and as `createSession` does
 */
export async function createReconnectSession(
  deps: ConnectSessionsDeps,
  environmentId: number,
  request: SessionRequest & ReconnectRequest,
): Promise<NewSession> {
  const address = { environmentId, providerConfigKey: request.integrationId, connectionId: request.connectionId };
  const connection = await requireConnection(deps, address);
  await checkRequest(deps, environmentId, { request, keys: [] });
  const change = attributeChange(request, connection);
  const { tags, endUser, webhookUrlOverride } = { ...connection, ...change };
  const session = {
    ...SESSION_DEFAULTS,
    environmentId,
    tags,
    endUser,
    webhookUrlOverride,
    replaces: REPLACEABLE.filter((member) => member in change),
    ...keptPresets(request),
    allowedIntegrations: [request.integrationId],
    overrides: request.overrides,
    returnUrl: request.returnUrl ?? null,
    reconnectId: connection.id,
    allowAccountChange: request.allowAccountChange,
  };
  try {
    return await store(deps, request, session);
  } catch (cause) {
    // The connection was deleted after it had been read.
    if (isMissingReference(cause)) throw unknownConnection(address);
    throw cause;
  }
}

interface CheckedRequest {
  readonly request: SessionRequest;
  /** Keys of integrations to check in addition to those that have presets or overrides. */
  readonly keys: readonly string[];
}

async function checkRequest(deps: ConnectSessionsDeps, environmentId: number, { request, keys }: CheckedRequest): Promise<void> {
  const named = [...keys, ...keysIn(request)];
  const providers = await providersByKey(deps.db, environmentId, named);
  for (const key of named) if (!providers.has(key)) throw unknownIntegration(key);
  checkPresets(deps, request, providers);
  await checkReturnUrl(deps, environmentId, request);
  checkOverride(deps.outbound, request.attributes);
}

async function store(
  deps: StoreDeps & { readonly clock: Clock },
  { attributes }: Pick<SessionRequest, 'attributes'>,
  session: Omit<ConnectSession, 'id' | 'expiresAt'>,
): Promise<NewSession> {
  const token = newSessionToken();
  const expiresAt = new Date(deps.clock.now().getTime() + SESSION_MS);
  await withTransaction(deps.db, async (trx) => {
    const here = { ...deps, db: trx };
    await insertSession(here, { ...session, expiresAt, tokenHash: hashSecret(token) });
    await keepOverrideLogin(here, session.environmentId, attributes);
  });
  return { token, expiresAt };
}
