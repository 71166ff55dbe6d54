import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { errorCode } from '../kit/error-code.ts';

/** SQLSTATE codes (Postgres documentation, appendix A): the session has no statement of that name, or has one already. */
const OF_ANOTHER_SESSION: ReadonlySet<string | undefined> = new Set(['26000', '42P05']);

/** Pools that lead to a pooler in transaction mode, which assigns another session each time. */
const withoutNames = new WeakSet<Knex>();
const names = new Map<string, string>();

/**
 * Runs a read that many requests need: it is parsed and planned once for each session of the pool. Where sessions do not stay the
 * same, and inside a transaction, it runs like any other statement.
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
 * Returns the name of a statement. It is derived from the text, so that no version of this service ever runs the statement of
 * another.
 */
function nameOf(sql: string): string {
  const existing = names.get(sql);
  if (existing !== undefined) return existing;
  const name = `svc_${createHash('sha256').update(sql).digest('hex').slice(0, 32)}`;
  names.set(sql, name);
  return name;
}
