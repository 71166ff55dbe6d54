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
/** More checks than the ten in a row that must find no session of an instance until it is considered gone. */
const LOOKS = 14;
const LOOK_EVERY_MS = 200;
/** The key of an advisory lock that the test holds while a statement of the listener waits for it. */
const GATE = 4711;

describe('the verdict that an instance is gone', function () {
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

  it('applies if its session has ended, even if another has the same PID, but not if the instance reconnects', async () => {
    const { id, instances } = join(database);
    await instances.settled();
    const owner = instances.newOwner();
    await copyRow(observerId, 'reused', '2020-01-01');
    // This copy stands in for the row of a process that does not open another session after its session has ended.
    await copyRow(id, 'dead');
    await database.db.raw('select pg_terminate_backend(backend_pid) from instances where id = ?', [id]);
    const verdicts = await Promise.all([owner, 'dead/1', 'reused/1'].map((one) => looksGone(one)));
    expect(verdicts).to.deep.equal([false, true, true]);
  });

  it('is possible for all work that an instance begins once it has settled, however late its row is written', async () => {
    const lock = await database.db.transaction();
    await lock.raw('lock table instances in access exclusive mode');
    const { instances } = join(database);
    let isSettled = false;
    const settled = instances.settled().then(() => {
      isSettled = true;
    });
    await until('its row waits for the table', async () => (await waitingForInstances()) === 1);
    expect(instances.newOwner(), 'the session cannot be observed yet').to.match(/^~/);
    expect(isSettled).to.equal(false);
    await lock.rollback();
    await settled;
    expect(isObservable(instances)).to.equal(true);
  });

  it('relies on the server, which watches the session with keepalives so that it ends when its host vanishes', async () => {
    const { instances, listener } = join(database);
    await instances.settled();
    // A Unix socket has no keepalive, so Postgres shows the values as 0, but it still shows that the session has set them.
    const watched = `select from pg_settings where name like 'tcp_keepalives_%' and source = 'session'`;
    expect(await listener.query(watched, [])).to.equal(3);
    expect(await observer.stands(instances.newOwner())).to.equal(true);
    expect(await observer.stands('~nobody/1')).to.equal(false);
  });

  it('never applies if the observer may not see when a session began', async () => {
    const { id, instances } = join(database);
    await instances.settled();
    await copyRow(id, 'hidden', '2020-01-01');
    const db = await openAsStranger();
    const { rows } = await db.raw(
      `select activity.backend_start from pg_stat_activity activity join instances on pid = backend_pid where id = 'hidden'`,
    );
    expect(rows, 'the start of the session is hidden').to.deep.equal([{ backend_start: null }]);
    const { listener } = join(database);
    const stranger = opened.use(new Instances({ db, listener, log, id: randomUUID(), outboundAllow: [] }));
    await stranger.settled();
    expect(await looksGone('hidden/1', stranger)).to.equal(false);
  });

  it('never applies behind a pooler in transaction mode, even if a notice gets through to the listener', async () => {
    const pooler: TransactionPooler = opened.use(await poolTransactions(database, 2));
    const listener = new Listener({ url: pooler.database.url, log });
    const heard: string[] = [];
    const { promise: listening, resolve } = Promise.withResolvers<void>();
    listener.subscribe(CHANNEL, { onGap: resolve, onPayload: (payload) => void heard.push(payload) });
    await listening;

    // This arranges that the pooler gives the listener the session that executed LISTEN again just when the notice arrives.
    const direct = opened.adopt(new pg.Client(database.url), (client) => client.end());
    await direct.connect();
    await direct.query(`select pg_advisory_lock(${GATE})`);
    await direct.query(`listen ${CHANNEL}`);
    const held = listener.query('select pg_advisory_xact_lock($1)', [GATE]);
    await until('its statement waits', async () => (await waitingForGate()) === 1);
    const sent = once(direct, 'notification');
    const { id, instances } = join(pooler.database, listener);
    const [{ payload }] = await sent;
    // Postgres notifies sessions one after the other: although the test has got the notice, the session that waits for the gate
    // may not have got it yet. Once the statement that sends the notice has ended, it has.
    await until('everybody has been told', async () => (await announcements()) === 0);
    await direct.query(`select pg_advisory_unlock(${GATE})`);
    await held;
    await until('the notice gets through', () => heard.includes(payload));
    // The listener responds to the notice with statements that it executes before these, so they are complete after this loop.
    for (let round = 0; round < 5; round += 1) await listener.query('select 1', []);

    const owner = instances.newOwner();
    pooler.recycle();
    expect(await looksGone(owner.replace('~', ''))).to.equal(false);
    // Nobody will ever be able to observe this session, so `settled` does not wait for that.
    await instances.settled();
    expect(owner, 'the session cannot be observed').to.match(/^~/);
    expect(await database.db('instances').where({ id })).to.deep.equal([]);
    await listener.query('select 1', []);
  });

  /** Copies a row within the database, because a `Date` would lose the microseconds of its times. */
  async function copyRow(id: string, to: string, backendStart: string | null = null): Promise<void> {
    await database.db.raw(
      `insert into instances (id, backend_pid, backend_start, server_start)
       select ?, backend_pid, coalesce(?::timestamptz, backend_start), server_start from instances where id = ?`,
      [to, backendStart, id],
    );
  }

  /** Connects as a role that may read `instances`, but of other roles' sessions sees only that they exist. */
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
