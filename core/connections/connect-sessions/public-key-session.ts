import { isMissingReference } from '../../db/missing-reference.ts';
import type { StoreDeps } from '../../db/store-deps.ts';
import type { Clock } from '../../kit/clock.ts';
import { hashSecret, newSessionToken } from '../../kit/random-id.ts';
import type { Connection } from '../connection.ts';
import { unknownConnection } from '../connections.ts';
import { type ConnectSession, SESSION_DEFAULTS } from './session.ts';
import { insertSession } from './session-store.ts';
import { SESSION_MS } from './sessions.ts';

interface PublicKeySessionRequest {
  readonly environmentId: number;
  /** The only integration that the session is for. */
  readonly uniqueKey: string;
  /** The connection to authorize again; undefined for a new one. */
  readonly connection: Connection | undefined;
  /** The ID for a new connection; undefined: an ID is generated. */
  readonly connectionId: string | undefined;
}

/**
 * Creates the session for a request with the deprecated public key, since users cannot connect without a session. Its token is
 * given to nobody.
 *
 * @throws ServiceError `unknown_connection` when the connection was deleted meanwhile
 */
export async function createPublicKeySession(
  deps: StoreDeps & { readonly clock: Clock },
  request: PublicKeySessionRequest,
): Promise<ConnectSession> {
  const { environmentId, uniqueKey, connection, connectionId } = request;
  const session = {
    ...SESSION_DEFAULTS,
    environmentId,
    tags: connection?.tags ?? {},
    allowedIntegrations: [uniqueKey],
    reconnectId: connection?.id ?? null,
    connectionId: connection === undefined ? (connectionId ?? null) : null,
    expiresAt: new Date(deps.clock.now().getTime() + SESSION_MS),
  };
  try {
    return { ...session, id: await insertSession(deps, { ...session, tokenHash: hashSecret(newSessionToken()) }) };
  } catch (cause) {
    if (connection === undefined || !isMissingReference(cause)) throw cause;
    throw unknownConnection(connection);
  }
}
