import { expect } from 'chai';
import type { Knex } from 'knex';
import { OutcomeUnknown } from '../../../core/db/commit-outcome.ts';
import { openDatabase } from '../../../core/db/database.ts';
import { describeDatabaseFault } from '../../../core/db/database-fault.ts';
import { withTransaction } from '../../../core/db/transaction.ts';
import { createLogger } from '../../../core/kit/logger.ts';
import { cloneDatabase, type TestDatabase } from '../../support/database.ts';
import { COMMIT, type DatabaseRelay, type Moment, relayTo } from '../../support/database-relay.ts';
import { needPostgres15, startPostgres15 } from '../../support/postgres-15.ts';
import { size } from '../../support/size.ts';
import { use } from '../../support/use.ts';

const CUTS = size(5, 300);

/** SQL that creates a table in which slow rows delay COMMIT by a second. */
const TABLE = `
  create table written (id int primary key, is_slow boolean not null default false);
  create function wait() returns trigger language plpgsql as $$ begin perform pg_sleep(1); return null; end $$;
  create constraint trigger slow after insert on written deferrable initially deferred
    for each row when (new.is_slow) execute function wait()`;

/** The table; it is written to through a relay that can cut the database connection. */
class Writing implements AsyncDisposable {
  readonly relay: DatabaseRelay;
  readonly db: Knex;
  readonly #direct: Knex;
  #lastId = 0;

  static async open(database: TestDatabase): Promise<Writing> {
    await database.db.raw(TABLE);
    return new Writing(database, await relayTo(database));
  }

  private constructor(database: TestDatabase, relay: DatabaseRelay) {
    this.#direct = database.db;
    this.relay = relay;
    this.db = openDatabase({ url: relay.database.url, log: createLogger({ level: 'silent' }) });
  }

  /** Writes a row in a transaction whose database connection is cut at COMMIT. @param onCut runs once it is cut */
  async cutAtCommit(moment: Moment, { isSlow = false, onCut }: { isSlow?: boolean; onCut?: () => Promise<void> } = {}) {
    this.#lastId += 1;
    const id = this.#lastId;
    const cut = this.relay.cutAt({ statement: COMMIT, moment });
    const writing = withTransaction(this.db, async (trx) => {
      await trx('written').insert({ id, is_slow: isSlow });
      return 'done';
    }).catch((error: unknown) => error);
    await cut;
    await onCut?.();
    this.relay.restore();
    return { result: await writing, isThere: async () => (await this.#direct('written').where({ id })).length === 1 };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.db.destroy();
    await this.relay[Symbol.asyncDispose]();
  }
}

describe('a COMMIT whose response is lost (DUR-04)', function () {
  const database = use(this, cloneDatabase);
  const table = use(this, () => Writing.open(database));

  it('is a success if the server has committed', async function () {
    this.timeout(5_000 * CUTS);
    for (let cut = 0; cut < CUTS; cut += 1) {
      const { result, isThere } = await table.cutAtCommit('after');
      expect(result).to.equal('done');
      expect(await isThere()).to.equal(true);
    }
  });

  it('is an error if the COMMIT never reached the server', async function () {
    this.timeout(5_000 * CUTS);
    for (let cut = 0; cut < CUTS; cut += 1) {
      const { result, isThere } = await table.cutAtCommit('before');
      expect(describeDatabaseFault(result)).to.have.property('code', 'storage_unavailable');
      expect(result).not.to.be.instanceOf(OutcomeUnknown);
      expect(await isThere()).to.equal(false);
    }
  });

  it('is waited for while the server is still committing', async () => {
    const { result, isThere } = await table.cutAtCommit('during', { isSlow: true });
    expect(result).to.equal('done');
    expect(await isThere()).to.equal(true);
  });

  it('leaves a pool that still works', async () => {
    await table.cutAtCommit('after');
    expect((await table.db.raw('select 1 as one')).rows).to.deep.equal([{ one: 1 }]);
  });
});

describe('a COMMIT whose response is lost with the server (DUR-04)', function () {
  this.timeout(60_000);
  before(function () {
    needPostgres15(this);
  });
  const server = use(this, startPostgres15);
  const database = use(this, () => server.cloneDatabase());
  const table = use(this, () => Writing.open(database));

  /**
   * Kills a server process, so that the server ends all others and recovers as after a power cut. Waits until it accepts
   * connections again.
   */
  async function crash(): Promise<void> {
    table.relay.cut();
    const { rows } = await database.db.raw('select pg_backend_pid() as pid');
    process.kill(rows[0].pid, 'SIGKILL');
    while (!(await database.db.raw('select 1').catch(() => undefined)));
  }

  it('is a success if the server had committed before it crashed', async () => {
    const { result, isThere } = await table.cutAtCommit('after', { onCut: crash });
    expect(result).to.equal('done');
    expect(await isThere()).to.equal(true);
  });

  it('is an error if the server crashed before it had committed', async () => {
    const { result, isThere } = await table.cutAtCommit('during', { isSlow: true, onCut: crash });
    expect(result).to.be.instanceOf(Error).and.not.instanceOf(OutcomeUnknown);
    expect(await isThere()).to.equal(false);
  });

  it('is an error if another transaction got the same ID after the crash', async () => {
    const useIds = async () => {
      await crash();
      for (let count = 0; count < 10; count += 1) await database.db.raw('insert into others default values');
    };
    await database.db.raw('create table others (id bigint generated by default as identity)');
    const { result, isThere } = await table.cutAtCommit('during', { isSlow: true, onCut: useIds });
    expect(result).to.be.instanceOf(Error).and.not.instanceOf(OutcomeUnknown);
    expect(await isThere()).to.equal(false);
  });

  it('is unknown if another server responds in place of the first', async () => {
    await using other = await cloneDatabase();
    const name = new URL(database.url).pathname.slice(1);
    await other.db.raw(`create database ${name}`);
    const { result, isThere } = await table.cutAtCommit('after', { onCut: async () => table.relay.leadTo(other) });
    await other.db.raw(`drop database ${name} with (force)`);
    expect(result).to.be.instanceOf(OutcomeUnknown).and.to.have.property('status', 503);
    expect(await isThere()).to.equal(true);
    table.relay.leadTo(database);
  });
});
