import knex, { type Knex } from 'knex';

const sessions = new WeakMap<object, Knex>();

/**
 * Lends one connection of the pool, for the statements of a transaction.
 *
 * @param work all its statements go through the session it is given, and none after it has ended
 */
export async function withSession<T>(db: Knex, work: (session: Knex) => Promise<T>): Promise<T> {
  const connection: object = await db.client.acquireConnection();
  try {
    return await work(sessionOf(db, connection));
  } finally {
    await db.client.releaseConnection(connection);
  }
}

/**
 * A knex of its own for each connection. `db.transaction` makes one for each transaction: hundreds of functions, which the
 * engine's quick collector of young garbage keeps, with all that the request beside them made.
 */
function sessionOf(db: Knex, connection: object): Knex {
  const known = sessions.get(connection);
  if (known !== undefined) return known;
  const { connection: _address, pool: _pool, ...config }: Knex.Config = db.client.config;
  const session = Object.assign(knex({ ...config, connectionPool: poolOf(connection) }), { isTransaction: true });
  // Knex asks for this where something begins a transaction within.
  session.client.transacting = true;
  for (const event of ['query', 'query-error']) session.client.on(event, (...told: unknown[]) => db.client.emit(event, ...told));
  sessions.set(connection, session);
  return session;
}

/** What knex asks of a pool. */
function poolOf(connection: object) {
  return {
    acquire: () => ({ promise: Promise.resolve(connection) }),
    release: () => true,
    destroy: async () => {},
    numFree: () => 0,
    numUsed: () => 1,
    numPendingAcquires: () => 0,
  };
}
