import type { Knex } from 'knex';
import type { ConnectionRow } from '../../core/db/rows.ts';
import type { Connected } from './connect.ts';

/** A connection's columns as they are in the database. */
export async function storedConnection(db: Knex, { connectionId }: Pick<Connected, 'connectionId'>): Promise<ConnectionRow> {
  const row: ConnectionRow | undefined = await db('connections').where({ connection_id: connectionId }).first();
  if (row === undefined) throw new Error('there is no such connection');
  return row;
}
