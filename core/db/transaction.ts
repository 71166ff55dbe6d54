import type { Knex } from 'knex';
import { isRefusal, readSystem, TRANSACTION_ID, type TransactionId, wasCommitted } from './commit-outcome.ts';
import { withSession } from './session.ts';

// The database ends what its client has forgotten or cannot finish. Set for the transaction alone, so a pooler may hand the
// session on. The ID is for asking how it ended, should the answer to COMMIT be lost; it is taken in the same round trip, and
// costs a transaction that only reads no more than an entry in the log of the server, which nobody waits for.
const BEGIN = `
  begin;
  select set_config('statement_timeout', '5s', true),
         set_config('idle_in_transaction_session_timeout', '15s', true),
         ${TRANSACTION_ID}`;

/** The cluster of each connection, asked for once: it costs a look into a file of the server. */
const systems = new WeakMap<Knex, string>();

/** What is to be done once a transaction has committed. */
const commitEffects = new WeakMap<Knex, (() => void)[]>();

/** Postgres documentation, appendix A. */
const DEADLOCK = '40P01';
const TRIES = 5;

/**
 * Commits when `work` resolves, rolls back when it throws. No outbound call may happen inside. Within another one it is a part of
 * that, which must not go on when this fails.
 *
 * When the connection is lost during COMMIT the server is asked how that ended: this resolves if it was committed, and throws
 * only if nothing was written or nobody can say.
 *
 * @param work its transaction begins no statement once it has ended; each that is made has to be awaited
 * @throws OutcomeUnknown when it may have been committed: then nobody must be told that it failed
 */
export async function withTransaction<T>(db: Knex, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
  if (db.isTransaction) return await work(db as Knex.Transaction);
  const { result, effects, id, unanswered } = await withSession(db, (session) => run(session, work));
  if (unanswered !== undefined && !(await wasCommitted(db, id, unanswered))) throw unanswered;
  for (const effect of effects) effect();
  return result;
}

/** Calls `effect` once the transaction has committed, at once when `db` is none. It must not throw. */
export function afterCommit(db: Knex, effect: () => void): void {
  const effects = commitEffects.get(db);
  if (effects === undefined) effect();
  else effects.push(effect);
}

interface Ran<T> {
  readonly result: T;
  readonly effects: readonly (() => void)[];
  readonly id: TransactionId;
  /** Why there was no answer to COMMIT; undefined: it was committed. */
  readonly unanswered: unknown;
}

async function run<T>(session: Knex, work: (trx: Knex.Transaction) => Promise<T>): Promise<Ran<T>> {
  const { proxy: trx, revoke } = Proxy.revocable(session, {});
  const effects: (() => void)[] = [];
  commitEffects.set(trx, effects);
  try {
    const id = await begin(session);
    const result = await work(trx as Knex.Transaction);
    revoke();
    return { result, effects, id, unanswered: await commit(session) };
  } catch (error) {
    revoke();
    // Where this fails, too, the connection is lost, and the transaction with it.
    await session.raw('rollback').catch(() => undefined);
    throw error;
  }
}

async function begin(session: Knex): Promise<TransactionId> {
  const system = systems.get(session) ?? (await readSystem(session));
  systems.set(session, system);
  const [, { rows }] = await session.raw(BEGIN);
  return { ...rows[0], system };
}

/** @returns undefined once it is committed, else why there is no answer @throws what the server refused it for */
async function commit(session: Knex): Promise<unknown> {
  try {
    const { command } = await session.raw('commit');
    // Postgres answers without an error where a statement failed before.
    if (command === 'COMMIT') return undefined;
  } catch (error) {
    if (isRefusal(error)) throw error;
    // The connection is lost, or not to be used any more; should it live after all, no transaction stays open on it.
    await session.raw('rollback').catch(() => undefined);
    return error;
  }
  throw new Error('nothing was committed: a statement of the transaction had failed');
}

/**
 * The same for work that changes many rows: begun anew when the database ended it because it and another one waited for each
 * other. `work` must bear a repetition.
 */
export async function withLongTransaction<T>(db: Knex, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await withTransaction(db, work);
    } catch (error) {
      if (tries === TRIES || !isDeadlock(error)) throw error;
    }
  }
}

function isDeadlock(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === DEADLOCK;
}
