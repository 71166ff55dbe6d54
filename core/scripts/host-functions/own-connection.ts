import type { Connection } from '../../connections/connection.ts';
import { connectionById } from '../../connections/connection-store.ts';
import { unknownConnection } from '../../connections/connections.ts';
import type { ScriptDeps } from '../deps.ts';
import type { RunSubject } from '../subject.ts';

/** The run's own connection as it is now. @throws ServiceError `unknown_connection` when it was deleted meanwhile */
export async function ownConnection(deps: ScriptDeps, { kind, connection }: RunSubject): Promise<Connection> {
  if (kind !== 'live') return connection;
  const current = await connectionById(deps, connection.environmentId, connection.id);
  if (current === undefined) throw unknownConnection(connection);
  return current;
}
