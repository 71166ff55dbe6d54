import type { JsonObject } from '#contract';
import { connectionRecord } from '../../connections/connection-record.ts';
import type { ScriptDeps } from '../deps.ts';
import type { RunSubject } from '../subject.ts';
import { ownConnection } from './own-connection.ts';

/** What a connection that is not stored yet does not have. */
const STORED_ONLY: readonly string[] = ['id', 'created_at', 'updated_at', 'last_fetched_at', 'errors'];

/** The record without its credentials and without secret configuration. */
export async function getConnection(deps: ScriptDeps, subject: RunSubject): Promise<JsonObject> {
  const connection = await ownConnection(deps, subject);
  const record = connectionRecord(connection, { credentials: false, refreshToken: false });
  const isNew = subject.kind === 'candidate' && connection.id === 0;
  const isShown = (name: string) => name !== 'credentials' && !(isNew && STORED_ONLY.includes(name));
  return Object.fromEntries(Object.entries(record).filter(([name]) => isShown(name)));
}
