import type { Knex } from 'knex';
import type { Notices } from '../db/notices.ts';
import { ServiceError } from '../errors.ts';
import type { Connection } from './connection.ts';
import type { ConnectionListRow } from './connection-row.ts';
import {
  type ConnectionAddress,
  type ConnectionFilter,
  type ConnectionStoreDeps,
  findConnection,
  listConnections,
} from './connection-store.ts';
import { toCursor } from './cursor.ts';

/** Notices under this topic carry an `addressKey`: that connection changed or is gone. */
export const CONNECTION_TOPIC = 'connection';

/** A connection's address as one text, for caches and notices; none of its parts holds a line feed. */
export function addressKey({ environmentId, providerConfigKey, connectionId }: ConnectionAddress): string {
  return `${environmentId}\n${providerConfigKey}\n${connectionId}`;
}

/** @throws ServiceError `unknown_connection` */
export async function requireConnection(deps: ConnectionStoreDeps, address: ConnectionAddress): Promise<Connection> {
  const connection = await findConnection(deps, address);
  if (connection === undefined) throw unknownConnection(address);
  return connection;
}

export function unknownConnection(address: Pick<ConnectionAddress, 'connectionId' | 'providerConfigKey'>): ServiceError {
  const message = `there is no connection "${address.connectionId}" of the integration "${address.providerConfigKey}"`;
  return new ServiceError('unknown_connection', message);
}

/** Tells every instance that a connection changed; sent when the transaction commits. */
export function announceChange(deps: { readonly notices: Notices }, trx: Knex, connection: ConnectionAddress): Promise<void> {
  return deps.notices.publish(trx, CONNECTION_TOPIC, addressKey(connection));
}

interface ConnectionPage {
  readonly rows: readonly ConnectionListRow[];
  readonly nextCursor: string | null;
}

/** One page of the environment's connections, newest first. */
export async function connectionPage(db: Knex, environmentId: number, filter: ConnectionFilter): Promise<ConnectionPage> {
  const rows = await listConnections(db, environmentId, { ...filter, limit: filter.limit + 1 });
  const page = rows.slice(0, filter.limit);
  const last = page.at(-1);
  return { rows: page, nextCursor: rows.length > page.length && last !== undefined ? toCursor(last.id) : null };
}
