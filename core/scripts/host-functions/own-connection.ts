import type { JsonObject } from '#contract';
import type { Connection } from '../../connections/connection.ts';
import { connectionRecord } from '../../connections/connection-record.ts';
import { connectionById } from '../../connections/connection-store.ts';
import { unknownConnection } from '../../connections/connections.ts';
import type { ScriptDeps } from '../deps.ts';
import type { RunSubject } from '../subject.ts';

/** Fields that only stored connections have. */
const STORED_ONLY: readonly string[] = ['id', 'created_at', 'updated_at', 'last_fetched_at', 'errors'];

/** Returns the current state of the run's connection. @throws ServiceError `unknown_connection` if it has been deleted */
export async function ownConnection(deps: ScriptDeps, { kind, connection }: RunSubject): Promise<Connection> {
  if (kind !== 'live') return connection;
  const current = await connectionById(deps, connection.environmentId, connection.id);
  if (current === undefined) throw unknownConnection(connection);
  return current;
}

/** Returns the connection's record without its credentials and without secret configuration. */
export async function getConnection(deps: ScriptDeps, subject: RunSubject): Promise<JsonObject> {
  const connection = await ownConnection(deps, subject);
  const record = connectionRecord(connection, { credentials: false, refreshToken: false });
  const isNew = subject.kind === 'candidate' && connection.id === 0;
  const isShown = (name: string) => name !== 'credentials' && !(isNew && STORED_ONLY.includes(name));
  return Object.fromEntries(Object.entries(record).filter(([name]) => isShown(name)));
}
