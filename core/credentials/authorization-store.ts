import type { Knex } from 'knex';
import type { Connection } from '../connections/connection.ts';

/** Maximum duration of a code exchange, including everything that follows it until the flow has ended. */
const LONGEST_SECONDS = 120;

/**
 * Returns whether a user is just reauthorizing the connection: the `state` of a flow is used up but the flow has not ended, and
 * its connect session is still open.
 */
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
