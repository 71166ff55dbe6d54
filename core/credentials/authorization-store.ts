import type { Knex } from 'knex';
import type { Connection } from '../connections/connection.ts';

/** No code exchange, with everything that follows it, takes longer. */
const LONGEST_SECONDS = 120;

/** Returns whether a flow for the connection has used up its state and not ended yet, while its connect session is still open. */
export async function isBeingAuthorized(
  db: Knex,
  { id, environmentId }: Pick<Connection, 'id' | 'environmentId'>,
): Promise<boolean> {
  const flow = await db('authorization_flows as flow')
    .join('connect_sessions as session', 'session.id', 'flow.session_id')
    .where({ 'session.reconnect_id': id, 'session.environment_id': environmentId })
    .whereNull('session.ended_at')
    .whereNull('flow.outcome')
    .whereRaw(`flow.used_at > now() - ? * interval '1 second'`, [LONGEST_SECONDS])
    .first('flow.id');
  return flow !== undefined;
}
