import type { Knex } from 'knex';
import type { ConnectionRow } from '../../core/connections/connection-row.ts';
import type { Connected } from './connect.ts';

/** The row of a connection and the lease on its refresh. */
export type StoredConnection = ConnectionRow & {
  readonly refresh_owner: string | null;
  readonly refresh_until: Date | null;
};

const LEASE_COLUMNS = {
  refresh_owner: 'refreshes.owner',
  refresh_until: 'refreshes.lease_until',
};

/** Returns the columns of a connection and its lease as they are in the database. */
export async function storedConnection(db: Knex, { connectionId }: Pick<Connected, 'connectionId'>): Promise<StoredConnection> {
  const row: StoredConnection | undefined = await db('connections')
    .leftJoin('refreshes', 'refreshes.connection_id', 'connections.id')
    .where({ 'connections.connection_id': connectionId })
    .first('connections.*', LEASE_COLUMNS);
  if (row === undefined) throw new Error('there is no such connection');
  return row;
}
