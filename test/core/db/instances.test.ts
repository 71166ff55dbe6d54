import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import pg from 'pg';
import { openDatabase } from '../../../core/db/database.ts';
import { Instances } from '../../../core/db/instances.ts';
import { Listener } from '../../../core/db/listener.ts';
import { createLogger } from '../../../core/kit/logger.ts';
import { cloneDatabase, type TestDatabase } from '../../support/database.ts';
import { poolTransactions, type TransactionPooler } from '../../support/transaction-pooler.ts';
import { until } from '../../support/until.ts';

const CHANNEL = 'svc_instances';
/** Ten in a row say that an instance is gone. */
const LOOKS = 14;
const LOOK_EVERY_MS = 200;
/** Held by the test while a statement of the listener waits for it. */
const GATE = 4711;

describe('whether an instance is gone', function () {
  this.timeout(30_000);
  const log = createLogger({ level: 'silent' });
  let opened: AsyncDisposableStack;
  let database: TestDatabase;
  let observer: Instances;
  let observerId: string;

  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    database = opened.use(await cloneDatabase());
    ({ id: observerId, instances: observer } = join(database));
    await observer.settled();
  });
  afterEach(() => opened.disposeAsync());

  function join({ url }: Pick<TestDatabase, 'url'>, listener = new Listener({ url, log })) {
    const db = openDatabase({ url, poolSize: 1, log });
    opened.defer(() => db.destroy());
    opened.use(listener);
    const id = randomUUID();
    return { id, listener, instances: opened.use(new Instances({ db, listener, log, id, outboundAllow: [] })) };
  }

  const isObservable = (instances: Instances) => !instances.newOwner().startsWith('~');

  async function looksGone(owner: string, by = observer): Promise<boolean> {
    for (let look = 0; look < LOOKS; look += 1) {
      if (await by.isGone(owner, 'the same sign')) return true;
      await pause(LOOK_EVERY_MS);
    }
    return false;
  }

  it('is said of one whose session has ended, also when another has its number, and not of one that came back', async () => {
    const { id, instances } = join(database);
    await instances.settled();
    const owner = instances.newOwner();
    await copyRow(observerId, 'reused', '2020-01-01');
    // Of a process that does not connect again.
    await copyRow(id, 'dead');
    await database.db.raw('select pg_terminate_backend(backend_pid) from instances where id = ?', [id]);
    const verdicts = await Promise.all([owner, 'dead/1', 'reused/1'].map((one) => looksGone(one)));
    expect(verdicts).to.deep.equal([false, true, true]);
  });

  it('can be known of whatever an instance begins after it has settled, however late its row is written', async () => {
    const lock = await database.db.transaction();
    await lock.raw('lock table instances in access exclusive mode');
    const { instances } = join(database);
    let isSettled = false;
    const settled = instances.settled().then(() => {
      isSettled = true;
    });
    await until('its row waits for the table', async () => (await waitingForInstances()) === 1);
    expect(instances.newOwner(), 'it cannot be observed yet').to.match(/^~/);
    expect(isSettled).to.equal(false);
    await lock.rollback();
    await settled;
    expect(isObservable(instances)).to.equal(true);
  });

  it('is asked of the server, too: it watches the session, so that one of a host that vanished ends', async () => {
    const { instances, listener } = join(database);
    await instances.settled();
    // A socket of the file system has no keepalive, so the values show as 0; who has set them shows all the same.
    const watched = `select from pg_settings where name like 'tcp_keepalives_%' and source = 'session'`;
    expect(await listener.query(watched, [])).to.equal(3);
    expect(await observer.stands(instances.newOwner())).to.equal(true);
    expect(await observer.stands('~nobody/1')).to.equal(false);
  });

  it('is never said where the observer may not see since when a session is there', async () => {
    const { id, instances } = join(database);
    await instances.settled();
    await copyRow(id, 'hidden', '2020-01-01');
    const db = await openAsStranger();
    const { rows } = await db.raw(
      `select activity.backend_start from pg_stat_activity activity join instances on pid = backend_pid where id = 'hidden'`,
    );
    expect(rows, 'it does not see that').to.deep.equal([{ backend_start: null }]);
    const { listener } = join(database);
    const stranger = opened.use(new Instances({ db, listener, log, id: randomUUID(), outboundAllow: [] }));
    await stranger.settled();
    expect(await looksGone('hidden/1', stranger)).to.equal(false);
  });

  it('is never said behind a pooler in transaction mode, also when a notice gets through to the listener', async () => {
    const pooler: TransactionPooler = opened.use(await poolTransactions(database, 2));
    const listener = new Listener({ url: pooler.database.url, log });
    const heard: string[] = [];
    const { promise: listening, resolve } = Promise.withResolvers<void>();
    listener.subscribe(CHANNEL, { onGap: resolve, onPayload: (payload) => void heard.push(payload) });
    await listening;

    // The session that was told to listen is the listener's once more just when the notice comes.
    const direct = opened.adopt(new pg.Client(database.url), (client) => client.end());
    await direct.connect();
    await direct.query(`select pg_advisory_lock(${GATE})`);
    await direct.query(`listen ${CHANNEL}`);
    const held = listener.query('select pg_advisory_xact_lock($1)', [GATE]);
    await until('its statement waits', async () => (await waitingForGate()) === 1);
    const sent = once(direct, 'notification');
    const { id, instances } = join(pooler.database, listener);
    const [{ payload }] = await sent;
    // Listeners are told one after the other: the one that waits for the gate is sure to have been told only then.
    await until('everybody has been told', async () => (await announcements()) === 0);
    await direct.query(`select pg_advisory_unlock(${GATE})`);
    await held;
    await until('the notice gets through', () => heard.includes(payload));
    // Whatever the listener does about it comes before these.
    for (let round = 0; round < 5; round += 1) await listener.query('select 1', []);

    const owner = instances.newOwner();
    pooler.recycle();
    expect(await looksGone(owner.replace('~', ''))).to.equal(false);
    // Nobody will ever observe it, so nobody waits for that.
    await instances.settled();
    expect(owner, 'its session cannot be observed').to.match(/^~/);
    expect(await database.db('instances').where({ id })).to.deep.equal([]);
    await listener.query('select 1', []);
  });

  /** In the database: a `Date` would lose the microseconds of its times. */
  async function copyRow(id: string, to: string, backendStart: string | null = null): Promise<void> {
    await database.db.raw(
      `insert into instances (id, backend_pid, backend_start, server_start)
       select ?, backend_pid, coalesce(?::timestamptz, backend_start), server_start from instances where id = ?`,
      [to, backendStart, id],
    );
  }

  /** A role that may read the table, and of other roles' sessions only that they are there. */
  async function openAsStranger() {
    const role = `stranger_${randomUUID().replaceAll('-', '')}`;
    await database.db.raw('create role ?? login', [role]);
    opened.defer(async () => {
      await database.db.raw('drop owned by ??', [role]);
      await database.db.raw('drop role ??', [role]);
    });
    await database.db.raw('grant select on instances to ??', [role]);
    const url = new URL(database.url);
    if (url.searchParams.has('user')) url.searchParams.set('user', role);
    else url.username = role;
    const db = openDatabase({ url: url.href, poolSize: 1, log });
    opened.defer(() => db.destroy());
    return db;
  }

  async function announcements(): Promise<number> {
    const { rows } = await database.db.raw(
      `select from pg_stat_activity
       where datname = current_database() and query like 'select pg_notify%' and state = 'active'`,
    );
    return rows.length;
  }

  async function waitingForInstances(): Promise<number> {
    const { rows } = await database.db.raw(`select from pg_locks where relation = 'instances'::regclass and not granted`);
    return rows.length;
  }

  async function waitingForGate(): Promise<number> {
    const { rows } = await database.db.raw(
      `select from pg_locks join pg_database on pg_database.oid = pg_locks.database
       where locktype = 'advisory' and objid = ? and not granted and datname = current_database()`,
      [GATE],
    );
    return rows.length;
  }
});
