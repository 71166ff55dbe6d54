import { createHmac } from 'node:crypto';
import { createPublicKeySession } from '../../connections/connect-sessions/public-key-session.ts';
import type { ConnectSession } from '../../connections/connect-sessions/session.ts';
import type { SessionCaller } from '../../connections/connect-sessions/session-caller.ts';
import { findConnection } from '../../connections/connection-store.ts';
import { requireIntegration } from '../../connections/integrations/integrations.ts';
import { ServiceError } from '../../errors.ts';
import { timingSafeEqualText } from '../../kit/timing-safe-equal.ts';
import type { PublicKeyCaller } from '../../tenants/api-keys/caller.ts';
import { hmacKeyOf } from '../../tenants/api-keys/public-key-store.ts';
import type { LifecycleDeps } from '../deps.ts';

/** A browser's request, authenticated by a session token or by the deprecated public key. */
interface Visit {
  readonly caller: SessionCaller | PublicKeyCaller;
  readonly uniqueKey: string;
  /** Deprecated, only with a public key: the HMAC-SHA256 in hex. */
  readonly hmac?: string | undefined;
  /** Deprecated, only with a public key: the ID for the connection. */
  readonly connectionId?: string | undefined;
}

/**
 * Returns the session of the request, or creates one for a public key.
 *
 * @throws ServiceError `invalid_query_params` for values that belong to a public key only; `missing_hmac`, `invalid_hmac`,
 *   `unknown_provider_config`; `conflict` if an unsigned request names an existing connection; as `createPublicKeySession` does
 */
export async function browserSession(deps: LifecycleDeps, visit: Visit): Promise<ConnectSession> {
  const { caller, hmac, connectionId } = visit;
  if (caller.kind === 'public_key') return publicKeySession(deps, caller, visit);
  const surplus = Object.entries({ hmac, connection_id: connectionId }).filter(([, value]) => value !== undefined);
  if (surplus.length === 0) return caller.session;
  const details = surplus.map(([name]) => ({
    code: 'unrecognized_key',
    message: `"${name}" is only for the deprecated public key; it cannot be combined with a connect session.`,
    path: [name],
  }));
  throw new ServiceError('invalid_query_params', details.map(({ message }) => message).join(' '), { details });
}

async function publicKeySession(deps: LifecycleDeps, { environmentId }: PublicKeyCaller, visit: Visit): Promise<ConnectSession> {
  const { uniqueKey, connectionId } = visit;
  const isSigned = await checkSignature(deps, environmentId, visit);
  await requireIntegration(deps, environmentId, uniqueKey);
  const connection =
    connectionId === undefined
      ? undefined
      : await findConnection(deps, { environmentId, providerConfigKey: uniqueKey, connectionId });
  // A public key is not secret: without the signature, anyone who knows it could replace a connection's account by their own.
  if (connection !== undefined && !isSigned) {
    const message = 'a connection with this connection_id already exists; only a request with an hmac may authorize it again';
    throw new ServiceError('conflict', message);
  }
  return createPublicKeySession(deps, { environmentId, uniqueKey, connection, connectionId });
}

/**
 * Checks the HMAC of a request.
 *
 * @returns true if it is valid, false if the environment has no HMAC key
 * @throws ServiceError `missing_hmac`, `invalid_hmac`
 */
async function checkSignature(deps: LifecycleDeps, environmentId: number, visit: Visit): Promise<boolean> {
  const { uniqueKey, hmac = '', connectionId } = visit;
  const key = await hmacKeyOf(deps, environmentId);
  if (key === undefined) return false;
  if (hmac === '') throw new ServiceError('missing_hmac', 'this environment accepts only signed requests: send hmac');
  const signed = connectionId === undefined ? uniqueKey : `${uniqueKey}:${connectionId}`;
  if (timingSafeEqualText(createHmac('sha256', key).update(signed).digest('hex'), hmac.toLowerCase())) return true;
  const form = connectionId === undefined ? 'the integration’s key' : '"<the integration’s key>:<connection_id>"';
  throw new ServiceError('invalid_hmac', `hmac is not the hex HMAC-SHA256 of ${form}`);
}
