import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { errorCode } from '../kit/error-code.ts';

/**
 * SQLSTATE codes (Postgres documentation, appendix A) that show that the session has changed: it has no prepared statement of
 * that name, or already has one.
 */
const OF_ANOTHER_SESSION: ReadonlySet<string | undefined> = new Set(['26000', '42P05']);

/**
 * Pools whose connections are to a pooler in transaction mode, where each statement may run in another session: they use no named
 * statements.
 */
const withoutNames = new WeakSet<Knex>();
const names = new Map<string, string>();

/**
 * Runs a query that many requests need as a prepared statement: each session of the pool parses and plans it only once. Behind a
 * pooler that changes sessions, and inside a transaction, it runs like any other statement.
 *
 * @param sql a fixed text that lists its columns: a statement with `*` would break when a migration adds one
 */
export async function preparedRead<Row>(db: Knex, sql: string, bindings: readonly (string | number)[]): Promise<Row[]> {
  const query = () => db.raw(sql, [...bindings]);
  if (db.isTransaction || withoutNames.has(db)) return (await query()).rows;
  try {
    return (await query().options({ name: nameOf(sql) })).rows;
  } catch (error) {
    if (!OF_ANOTHER_SESSION.has(errorCode(error))) throw error;
    withoutNames.add(db);
    return (await query()).rows;
  }
}

/**
 * Returns the name of a statement. The name is derived from the text, so that one version of this service never runs the
 * statement of another version.
 */
function nameOf(sql: string): string {
  const existing = names.get(sql);
  if (existing !== undefined) return existing;
  const name = `svc_${createHash('sha256').update(sql).digest('hex').slice(0, 32)}`;
  names.set(sql, name);
  return name;
}
