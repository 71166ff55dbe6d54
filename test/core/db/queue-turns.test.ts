import { expect } from 'chai';
import { Listener } from '../../../core/db/listener.ts';
import { openQueue, type Queue } from '../../../core/db/queue.ts';
import { createLogger } from '../../../core/kit/logger.ts';
import { cloneDatabase, type TestDatabase } from '../../support/database.ts';
import { size } from '../../support/size.ts';
import { until } from '../../support/until.ts';

const MANY = size(2_000, 10_000);

interface Job {
  readonly group: string;
  readonly number: number;
}

describe('jobs that are taken in turns', () => {
  let database: TestDatabase;
  let queue: Queue;
  let opened: AsyncDisposableStack;

  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    database = opened.use(await cloneDatabase());
    const log = createLogger({ level: 'error', write: () => undefined });
    const listener = opened.use(new Listener({ url: database.url, log }));
    queue = opened.use(await openQueue({ db: database.db, listener, log }));
  });

  afterEach(() => opened.disposeAsync());

  const send = (group: string, count: number) =>
    queue.sendGrouped(
      'turns',
      Array.from({ length: count }, (_, number) => ({ data: { group, number }, group, expireInSeconds: 300 })),
    );

  it(`SBX-07: one group's ${MANY} slow jobs do not keep another's from beginning within five seconds`, async () => {
    await send('many', MANY);
    const running = new Map<string, number>();
    const most = new Map<string, number>();
    const begun: string[] = [];
    const end = Promise.withResolvers<void>();
    await queue.workInTurns<Job>(
      'turns',
      async ({ group }) => {
        begun.push(group);
        running.set(group, (running.get(group) ?? 0) + 1);
        most.set(group, Math.max(most.get(group) ?? 0, running.get(group) ?? 0));
        if (group === 'many') await end.promise;
        running.set(group, (running.get(group) ?? 0) - 1);
      },
      { concurrency: 4, perGroup: 1 },
    );
    await until('the first has begun', () => begun.length > 0);
    const started = performance.now();
    await send('few', 20);
    await until('all of the others are done', () => begun.filter((group) => group === 'few').length === 20);
    expect(performance.now() - started).to.be.below(5_000);
    expect(begun.filter((group) => group === 'many')).to.have.length(1);
    expect([...most.values()]).to.deep.equal([1, 1]);
    end.resolve();
  });

  it('are handed over again when they throw, and completed when they do not', async () => {
    await send('one', 3);
    const tries: number[] = [];
    await queue.workInTurns<Job>(
      'turns',
      async ({ number }) => {
        tries.push(number);
        if (number === 1 && tries.filter((one) => one === 1).length === 1) throw new Error('once');
      },
      { concurrency: 1, perGroup: 1 },
    );
    await until('each was tried', () => tries.length === 3);
    await until('one waits for its next try', async () => (await states()).includes('retry'));
    await database.db('pgboss.job').where({ name: 'turns' }).update({ start_after: database.db.fn.now() });
    await until('all are done', async () => (await states()).every((state) => state === 'completed'));
    expect(tries.toSorted()).to.deep.equal([0, 1, 1, 2]);
  });

  it('end with the queue: what runs is told, and waits for another process', async () => {
    await send('one', 1);
    let told: unknown;
    const begun = Promise.withResolvers<void>();
    await queue.workInTurns<Job>(
      'turns',
      (_job, signal) => {
        begun.resolve();
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            told = signal.reason;
            reject(signal.reason);
          });
        });
      },
      { concurrency: 1, perGroup: 1 },
    );
    await begun.promise;
    await queue.stop();
    expect(told).to.be.instanceOf(DOMException).with.property('name', 'AbortError');
    expect(await states()).to.deep.equal(['retry']);
  }).timeout(30_000);

  function states(): Promise<string[]> {
    return database.db('pgboss.job').where({ name: 'turns' }).pluck('state');
  }
});
