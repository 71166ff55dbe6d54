import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Instances } from '../../../core/db/instances.ts';
import { Listener } from '../../../core/db/listener.ts';
import { createNotices, type Notices } from '../../../core/db/notices.ts';
import { withTransaction } from '../../../core/db/transaction.ts';
import { WorkSignals } from '../../../core/db/work-signals.ts';
import { WorkTable } from '../../../core/db/work-table.ts';
import { createLogger } from '../../../core/kit/logger.ts';
import { cloneDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';
import { use } from '../../support/use.ts';

const log = createLogger({ level: 'silent' });
const TOPIC = 'webhook-messages';

interface Process extends AsyncDisposable {
  readonly signals: WorkSignals;
  readonly notices: Notices;
  readonly listener: Listener;
  /** For each signal that arrived, the keys of the rows that are to be worked on; undefined if the signal names none. */
  readonly received: (readonly number[] | undefined)[];
}

describe('a work table', function () {
  const database = use(this, cloneDatabase);
  const [writer, worker] = [use(this, startProcess), use(this, startProcess)];
  beforeEach(() => {
    worker.received.length = 0;
  });

  /** Starts the parts of the service that a work table needs, as a separate process would. */
  async function startProcess(): Promise<Process> {
    const { db, url } = database;
    const own = new AsyncDisposableStack();
    const listener = own.use(new Listener({ url, log }));
    const notices = createNotices(listener);
    const instances = own.use(new Instances({ db, listener, log, id: randomUUID(), outboundAllow: [] }));
    const signals = own.use(new WorkSignals({ db, notices, instances, log }));
    const received: Process['received'] = [];
    signals.subscribe(TOPIC, { onWork: (keys) => received.push(keys) });
    await until('signals arrive', () => signals.areReceived);
    return { signals, notices, listener, received, [Symbol.asyncDispose]: () => own.disposeAsync() };
  }

  /** Starts a work table and counts how often it looks for due rows. */
  function openTable(signals: WorkSignals, look = async (): Promise<number | undefined> => undefined) {
    const counter = { looks: 0 };
    const counted = () => {
      counter.looks += 1;
      return look();
    };
    const table = new WorkTable({ signals, log, topic: TOPIC, look: counted });
    table.start();
    return Object.assign(counter, { table });
  }

  it('is looked at when it starts, and when any process has committed work', async () => {
    const one = openTable(worker.signals);
    await using _table = one.table;
    await until('the first look', () => one.looks === 1);
    for (const { signals } of [writer, worker]) {
      const before = one.looks;
      await withTransaction(database.db, async (trx) => signals.send(trx, TOPIC));
      await until('a look', () => one.looks > before);
    }
  });

  it('is not signalled by a transaction that rolled back', async () => {
    await withTransaction(database.db, async (trx) => {
      writer.signals.send(trx, TOPIC, [1]);
      throw new Error('no');
    }).catch(() => undefined);
    await withTransaction(database.db, async (trx) => writer.signals.send(trx, TOPIC, [2]));
    await until('the signal arrives', () => worker.received.length > 0);
    expect(worker.received).to.deep.equal([[2]]);
  });

  it('is signalled at most 20 times a second, with all new keys', async () => {
    const start = performance.now();
    for (let key = 1; key <= 150; key += 1) writer.signals.send(database.db, TOPIC, [key]);
    await until('all arrive', () => new Set(worker.received.flat()).size === 150);
    const seconds = (performance.now() - start) / 1_000;
    expect(worker.received.length).to.be.at.most(2 + 20 * seconds);
  });

  it('is looked at as a whole when a signal cannot name all new keys', async () => {
    writer.signals.send(database.db, TOPIC, [0]);
    writer.signals.send(
      database.db,
      TOPIC,
      Array.from({ length: 1_000 }, (_, key) => key),
    );
    await until('it arrives', () => worker.received.length > 0 && worker.received.at(-1) === undefined);
  });

  it('is looked at again when its next row falls due, and soon after a look that failed', async () => {
    const results = [async () => 30, async () => Promise.reject(new Error('the database is away')), async () => undefined];
    const one = openTable(worker.signals, () => results.shift()?.() ?? Promise.resolve(undefined));
    await using _table = one.table;
    await until('it was looked at three times', () => one.looks === 3);
  });

  it('warns once of looks that fail in a row', async () => {
    const lines: { level: string }[] = [];
    const own = createLogger({ level: 'debug', write: (line) => lines.push(JSON.parse(line)) });
    const away = async () => Promise.reject(new Error('the database is away'));
    const results = [away, away, async () => 30, away];
    let looks = 0;
    const look = () => {
      looks += 1;
      return results.shift()?.() ?? Promise.resolve(undefined);
    };
    await using table = new WorkTable({ signals: worker.signals, log: own, topic: TOPIC, look });
    table.start();
    await until('it was looked at five times', () => looks === 5);
    expect(lines.map(({ level }) => level)).to.deep.equal(['warn', 'debug', 'warn']);
  });

  it('is looked at every second while signals do not arrive', async () => {
    await using alone = await startProcess();
    const one = openTable(alone.signals);
    await using _table = one.table;
    await alone.listener[Symbol.asyncDispose]();
    const before = one.looks;
    await until('two looks', () => one.looks >= before + 2);
  });

  it('is not looked at after it is stopped, except for the look that runs', async () => {
    const gate = Promise.withResolvers<undefined>();
    const one = openTable(worker.signals, () => gate.promise);
    await until('the look runs', () => one.looks === 1);
    one.table.request();
    const stopped = one.table.stop();
    gate.resolve(undefined);
    await stopped;
    worker.signals.send(database.db, TOPIC);
    one.table.request();
    expect(one.looks).to.equal(1);
  });
});
