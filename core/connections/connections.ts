import type { Knex } from 'knex';
import type { Notices } from '../db/notices.ts';
import type { StoreDeps } from '../db/store-deps.ts';
import { ServiceError } from '../errors.ts';
import type { Connection } from './connection.ts';
import { type ConnectionAddress, findConnection } from './connection-store.ts';
import { providersByKey } from './integrations/integration-store.ts';
import { unknownIntegration } from './integrations/integrations.ts';

/** The topic of notices that a connection was changed or deleted; the payload is its `addressKey`. */
export const CONNECTION_TOPIC = 'connection';

/** Returns a connection's address as a string, for caches and notices; none of its parts contains a line feed. */
export function addressKey({ environmentId, providerConfigKey, connectionId }: ConnectionAddress): string {
  return `${environmentId}\n${providerConfigKey}\n${connectionId}`;
}

/** Reads a connection. @throws ServiceError `unknown_provider_config`, `unknown_connection` */
export async function requireConnection(deps: StoreDeps, address: ConnectionAddress): Promise<Connection> {
  const connection = await findConnection(deps, address);
  if (connection === undefined) throw await missing(deps.db, address);
  return connection;
}

/**
 * Returns the error for a connection that was not found. Whether its integration exists is queried only here, to choose the
 * error.
 */
export async function missing(db: Knex, address: ConnectionAddress): Promise<ServiceError> {
  const { environmentId, providerConfigKey } = address;
  const providers = await providersByKey(db, environmentId, [providerConfigKey]);
  return providers.has(providerConfigKey) ? unknownConnection(address) : unknownIntegration(providerConfigKey);
}

export function unknownConnection(address: Pick<ConnectionAddress, 'connectionId' | 'providerConfigKey'>): ServiceError {
  const message = `there is no connection "${address.connectionId}" of the integration "${address.providerConfigKey}"`;
  return new ServiceError('unknown_connection', message);
}

/** Notifies every instance that a connection changed; the notice is sent when the transaction commits. */
export function announceChange(
  deps: { readonly notices: Pick<Notices, 'publish'> },
  trx: Knex,
  connection: ConnectionAddress,
): Promise<void> {
  return deps.notices.publish(trx, CONNECTION_TOPIC, addressKey(connection));
}

export function announceChanges(
  deps: { readonly notices: Pick<Notices, 'publish'> },
  trx: Knex,
  connections: readonly ConnectionAddress[],
): Promise<void> {
  return deps.notices.publish(trx, CONNECTION_TOPIC, connections.map(addressKey));
}
