import { expect } from 'chai';
import { openDatabase } from '../../../core/db/database.ts';
import { describeDatabaseFault } from '../../../core/db/database-fault.ts';
import { withTransaction } from '../../../core/db/transaction.ts';
import { createLogger } from '../../../core/kit/logger.ts';
import { startApp } from '../../support/app.ts';
import { cloneDatabase } from '../../support/database.ts';
import { relayTo } from '../../support/database-relay.ts';
import { rawServer } from '../../support/raw-tcp.ts';
import { use } from '../../support/use.ts';

const log = createLogger({ level: 'silent' });

describe('the pool of database connections', function () {
  const database = use(this, cloneDatabase);

  it('is as large as SVC_POOL_SIZE, and no larger', async () => {
    await using app = await startApp({ env: { SVC_POOL_SIZE: '5' } });
    const session = () => app.services.db.raw('select pg_backend_pid() as pid, pg_sleep(0.1)');
    const found = await Promise.all(Array.from({ length: 12 }, session));
    expect(new Set(found.map(({ rows }) => rows[0].pid)).size).to.equal(5);
  });

  it('reads bigint as a number and timestamptz as a Date', async () => {
    const { rows } = await database.db.raw(`select 9007199254740991::bigint as id, '2026-01-02T03:04:05Z'::timestamptz as at`);
    expect(rows[0]).to.deep.equal({ id: Number.MAX_SAFE_INTEGER, at: new Date('2026-01-02T03:04:05Z') });
  });

  it('names a long statement by its first 200 characters', async () => {
    const failed = database.db.raw(`select 1 as ${'one'.repeat(100)}, x`);
    const error = await failed.catch((cause: Error) => cause);
    expect(error.message).to.match(/^select 1 as (?:one){62}on… - column "x" does not exist$/);
    const short = await database.db.raw('select y').catch((cause: Error) => cause);
    expect(short.message).to.equal('select y - column "y" does not exist');
  });

  it('waits for a connection as long as its caller wants to', async () => {
    await using relay = await relayTo(database);
    relay.freeze();
    const [hasty, patient] = [100, 60_000].map((waitMs) => openDatabase({ url: relay.database.url, waitMs, log }));
    try {
      const answer = patient?.raw('select 1 as one');
      expectUnavailable(await hasty?.raw('select 1').catch((error: unknown) => error));
      relay.restore();
      expect((await answer)?.rows).to.deep.equal([{ one: 1 }]);
    } finally {
      await Promise.all([hasty?.destroy(), patient?.destroy()]);
    }
  });

  it('survives the loss of an idle connection', async () => {
    const { db } = database;
    const { rows } = await db.raw('select pg_backend_pid() as pid');
    await using admin = openAdmin(database.url);
    await admin.db.raw('select pg_terminate_backend(?, 5000)', [rows[0].pid]);
    const responses = await Promise.allSettled([db.raw('select 1'), db.raw('select 1')]);
    for (const response of responses) if (response.status === 'rejected') expectUnavailable(response.reason);
    await db.raw('select 1');
  });

  it('fails a query whose connection is lost as storage_unavailable, and goes on', async () => {
    await using admin = openAdmin(database.url);
    const fault = await withTransaction(database.db, async (trx) => {
      const { rows } = await trx.raw('select pg_backend_pid() as pid');
      await admin.db.raw('select pg_terminate_backend(?, 5000)', [rows[0].pid]);
      await trx.raw('select 1');
    }).catch((error: unknown) => error);
    expectUnavailable(fault);
    await database.db.raw('select 1');
  });

  it('gives up on a statement after its time and does not use that connection again', async () => {
    const db = openDatabase({ url: database.url, poolSize: 1, queryTimeoutMs: 1_000, log });
    try {
      const { rows } = await db.raw('select pg_backend_pid() as pid');
      expectUnavailable(await db.raw('select pg_sleep(30)').catch((error: unknown) => error));
      const again = await db.raw('select pg_backend_pid() as pid');
      expect(again.rows[0].pid).not.to.equal(rows[0].pid);
    } finally {
      await db.destroy();
    }
  });

  it('does not keep a connection to a primary that became read-only', async () => {
    const db = openDatabase({ url: database.url, poolSize: 1, log });
    try {
      await db.raw('set default_transaction_read_only = on');
      expectUnavailable(await db.raw('create table refused (id int)').catch((error: unknown) => error));
      await db.raw('create table accepted (id int)');
    } finally {
      await db.destroy();
    }
  });

  it('keeps no other connection to it either, since it would read what is no longer true', async () => {
    const db = openDatabase({ url: database.url, poolSize: 2, log });
    const pids = async () => {
      const results = await Promise.all([1, 2].map(() => db.raw('select pg_backend_pid() as pid from pg_sleep(0.2)')));
      return results.map(({ rows }) => rows[0].pid);
    };
    try {
      const before = await pids();
      const write = db.transaction(async (trx) => {
        await trx.raw('set transaction read only');
        await trx.raw('create table refused (id int)');
      });
      expectUnavailable(await write.catch((error: unknown) => error));
      expect((await pids()).filter((pid) => before.includes(pid))).to.deep.equal([]);
    } finally {
      await db.destroy();
    }
  });

  it('gives up on a server that accepts the connection and never responds', async () => {
    await using silent = await rawServer(() => undefined);
    const db = openDatabase({ url: `postgres://svc@127.0.0.1:${silent.port}/svc`, log });
    const begun = performance.now();
    try {
      expectUnavailable(await db.raw('select 1').catch((error: unknown) => error));
      expect(performance.now() - begun).to.be.below(25_000);
    } finally {
      await db.destroy();
    }
  });

  it('does not keep callers waiting for a connection for long', async () => {
    const db = openDatabase({ url: database.url, poolSize: 1, log });
    try {
      const begun = performance.now();
      await withTransaction(db, async () => {
        expectUnavailable(await db.raw('select 1').catch((error: unknown) => error));
      });
      expect(performance.now() - begun).to.be.below(15_000);
    } finally {
      await db.destroy();
    }
  });

  it('puts no values of a failed statement into the message', async () => {
    const fault: Error = await database.db.raw('select ?::int', ['value-canary']).catch((error: Error) => error);
    expect(fault).to.be.instanceOf(Error);
    // Postgres itself quotes the value that it cannot parse, which svc cannot prevent. But knex would also put the value into the
    // statement, with which the message begins.
    expect(fault.message).to.match(/^select \$1::int - /);
  });
});

describe('describeDatabaseFault', () => {
  it('returns undefined for faults of the statement and for other errors', () => {
    expect(describeDatabaseFault(Object.assign(new Error('duplicate key'), { code: '23505' }))).to.equal(undefined);
    expect(describeDatabaseFault(new Error('something'))).to.equal(undefined);
    expect(describeDatabaseFault('text')).to.equal(undefined);
  });

  it('recognizes a server that is not there', async () => {
    const db = openDatabase({ url: 'postgres://svc@127.0.0.1:1/svc', log });
    expectUnavailable(await db.raw('select 1').catch((error: unknown) => error));
    await db.destroy();
  });
});

function expectUnavailable(error: unknown): void {
  expect(describeDatabaseFault(error), String(error)).to.include({ code: 'storage_unavailable', retryAfterSeconds: 2 });
}

function openAdmin(url: string) {
  const db = openDatabase({ url, poolSize: 1, queryTimeoutMs: 10_000, log });
  return { db, [Symbol.asyncDispose]: () => db.destroy() };
}
