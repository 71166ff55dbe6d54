import { createHmac } from 'node:crypto';
import { createPublicKeySession } from '../connect-sessions/public-key-session.ts';
import type { ConnectSession } from '../connect-sessions/session.ts';
import type { SessionCaller } from '../connect-sessions/session-caller.ts';
import { findConnection } from '../connections/connection-store.ts';
import type { PublicKeyCaller } from '../environments/caller.ts';
import { hmacKeyOf } from '../environments/public-key-store.ts';
import { ServiceError } from '../errors.ts';
import { requireIntegration } from '../integrations/integrations.ts';
import { timingSafeEqualText } from '../kit/timing-safe-equal.ts';
import type { AuthorizationDeps } from './deps.ts';

/** What a browser comes with, beside what it wants to connect. */
interface Visit {
  readonly caller: SessionCaller | PublicKeyCaller;
  readonly uniqueKey: string;
  /** Deprecated, beside a public key only: hex HMAC-SHA256. */
  readonly hmac?: string | undefined;
  /** Deprecated, beside a public key only: the ID that the connection is to have. */
  readonly connectionId?: string | undefined;
}

/**
 * The session that a browser connects with: its own, or one that is made for its public key.
 *
 * @throws ServiceError `invalid_query_params`, `missing_hmac`, `invalid_hmac`, `unknown_provider_config`, `conflict`
 */
export async function browserSession(deps: AuthorizationDeps, visit: Visit): Promise<ConnectSession> {
  const { caller, hmac, connectionId } = visit;
  if (caller.kind === 'public_key') return publicKeySession(deps, caller, visit);
  const surplus = Object.entries({ hmac, connection_id: connectionId }).filter(([, value]) => value !== undefined);
  if (surplus.length === 0) return caller.session;
  const details = surplus.map(([name]) => ({
    code: 'unrecognized_key',
    message: `"${name}" belongs to the deprecated public key; a session does not take it.`,
    path: [name],
  }));
  throw new ServiceError('invalid_query_params', details.map(({ message }) => message).join(' '), { details });
}

async function publicKeySession(
  deps: AuthorizationDeps,
  { environmentId }: PublicKeyCaller,
  visit: Visit,
): Promise<ConnectSession> {
  const { uniqueKey, connectionId } = visit;
  const isSigned = await checkSignature(deps, environmentId, visit);
  await requireIntegration(deps, environmentId, uniqueKey);
  const connection =
    connectionId === undefined
      ? undefined
      : await findConnection(deps, { environmentId, providerConfigKey: uniqueKey, connectionId });
  // A public key is no secret: whoever has read it in a page must not be able to put an account of their own into a connection.
  if (connection !== undefined && !isSigned) {
    const message = 'there is a connection of this connection_id already; only a request with an hmac may authorize it again';
    throw new ServiceError('conflict', message);
  }
  return createPublicKeySession(deps, { environmentId, uniqueKey, connection, connectionId });
}

/** @returns whether there is a signature that is right; without a key there is nothing to check one by */
async function checkSignature(deps: AuthorizationDeps, environmentId: number, visit: Visit): Promise<boolean> {
  const { uniqueKey, hmac = '', connectionId } = visit;
  const key = await hmacKeyOf(deps, environmentId);
  if (key === undefined) return false;
  if (hmac === '') throw new ServiceError('missing_hmac', 'this environment takes signed requests only: send hmac');
  const signed = connectionId === undefined ? uniqueKey : `${uniqueKey}:${connectionId}`;
  if (timingSafeEqualText(createHmac('sha256', key).update(signed).digest('hex'), hmac.toLowerCase())) return true;
  const form = connectionId === undefined ? 'the integration’s key' : '"<the integration’s key>:<connection_id>"';
  throw new ServiceError('invalid_hmac', `hmac is not the hex HMAC-SHA256 of ${form}`);
}
