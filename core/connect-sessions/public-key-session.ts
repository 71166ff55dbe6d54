import type { Connection } from '../connections/connection.ts';
import { unknownConnection } from '../connections/connections.ts';
import { isMissingReference } from '../db/missing-reference.ts';
import { hashSecret, newSessionToken } from '../kit/random-id.ts';
import type { ConnectSessionsDeps } from './deps.ts';
import { type ConnectSession, SESSION_DEFAULTS } from './session.ts';
import { insertSession } from './session-store.ts';
import { SESSION_MS } from './sessions.ts';

interface Wanted {
  readonly environmentId: number;
  /** The only integration it is for. */
  readonly uniqueKey: string;
  /** The connection to authorize again; undefined: a new one. */
  readonly known: Connection | undefined;
  /** For a new connection; undefined: one is made. */
  readonly connectionId: string | undefined;
}

/**
 * The session that stands for a request with the deprecated public key: whatever is connected is connected with a session.
 * Nobody is given its token.
 *
 * @throws ServiceError `unknown_connection` when it was erased meanwhile
 */
export async function createPublicKeySession(
  deps: Pick<ConnectSessionsDeps, 'db' | 'keys' | 'clock'>,
  wanted: Wanted,
): Promise<ConnectSession> {
  const { environmentId, uniqueKey, known, connectionId } = wanted;
  const session = {
    ...SESSION_DEFAULTS,
    environmentId,
    tags: known?.tags ?? {},
    allowedIntegrations: [uniqueKey],
    reconnectId: known?.id ?? null,
    connectionId: known === undefined ? (connectionId ?? null) : null,
    expiresAt: new Date(deps.clock.now().getTime() + SESSION_MS),
  };
  try {
    return { ...session, id: await insertSession(deps, { ...session, tokenHash: hashSecret(newSessionToken()) }) };
  } catch (cause) {
    if (known === undefined || !isMissingReference(cause)) throw cause;
    throw unknownConnection(known);
  }
}
