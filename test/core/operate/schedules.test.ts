import { expect } from 'chai';
import { type Schedule, ScheduleWorker } from '../../../core/operate/schedule-worker.ts';
import type { Services } from '../../../core/services.ts';
import { startApp } from '../../support/app.ts';
import { until } from '../../support/until.ts';
import { use } from '../../support/use.ts';

const HOUR_SECONDS = 3_600;

describe('schedules (JOB-01)', function () {
  const app = use(this, startApp);
  const other = use(this, () =>
    startApp({ database: app.database, clock: app.clock, env: { SVC_ENCRYPTION_KEYS: app.encryptionKeys } }),
  );
  afterEach(() => app.database.db('schedules').delete());

  /** Returns a schedule for the work, and a counter of its runs. */
  function counted(name: string, work: () => Promise<void> = async () => undefined) {
    const counter = { runs: 0 };
    const run = () => {
      counter.runs += 1;
      return work();
    };
    return Object.assign(counter, { schedule: { name, everySeconds: HOUR_SECONDS, run } satisfies Schedule<Services> });
  }

  /** Starts a worker for these schedules on each of two instances. */
  async function start(...schedules: Schedule<Services>[]): Promise<AsyncDisposable> {
    const stack = new AsyncDisposableStack();
    for (const { services } of [app, other]) await stack.use(new ScheduleWorker(services, schedules)).start();
    return stack;
  }

  const dueInSeconds = async (name: string): Promise<number> => {
    const { rows } = await app.database.db.raw(
      'select extract(epoch from due_at - now())::float8 as seconds from schedules where name = ?',
      [name],
    );
    return rows[0].seconds;
  };

  it('run at once when they are new, then whenever they are due, each time on one instance only', async () => {
    const one = counted('one');
    await using _workers = await start(one.schedule);
    await until('it has run', async () => one.runs === 1 && (await dueInSeconds('one')) > HOUR_SECONDS - 60);
    await app.clock.advance((HOUR_SECONDS + 1) * 1_000, app.database.db);
    await until('it has run again', async () => one.runs === 2 && (await dueInSeconds('one')) > HOUR_SECONDS - 60);
  });

  it('run again at the next start if that may have given them work, while the others wait', async () => {
    const [waiting, starting] = [counted('waiting'), counted('starting')];
    const schedules = [waiting.schedule, { ...starting.schedule, isDueAtStart: true }];
    const haveRun = async (runs: number) =>
      starting.runs === runs && waiting.runs === 1 && (await dueInSeconds('starting')) > HOUR_SECONDS - 60;
    const startOne = async () => {
      const worker = new ScheduleWorker(app.services, schedules);
      await worker.start();
      return worker;
    };
    {
      await using _first = await startOne();
      await until('both have run', () => haveRun(1));
    }
    await using _second = await startOne();
    await until('one has run again', () => haveRun(2));
  });

  it('are not delayed by one that fails or never ends, and that one is not repeated sooner than the others', async () => {
    const failing = counted('failing', () => Promise.reject(new Error('no')));
    const gate = Promise.withResolvers<void>();
    const endless = counted('endless', () => gate.promise);
    const fine = counted('fine');
    await using _workers = await start(failing.schedule, endless.schedule, fine.schedule);
    await until('all have begun', () => failing.runs === 1 && endless.runs === 1 && fine.runs === 1);
    await until('the failure is written down', async () => (await dueInSeconds('failing')) > HOUR_SECONDS - 60);
    const failures = () => [...app.logLines, ...other.logLines].filter((line) => line.includes('work on a due row failed'));
    await until('the failure is logged', () => failures().length > 0);
    expect(failures()).to.have.length(1);
    expect(failures()[0]).to.include('"group":"failing"');
    // The schedule whose work never ends stays claimed, so that another instance runs it if this instance's process ends.
    expect(await dueInSeconds('endless')).to.be.within(1, 600);
    await app.clock.advance(601_000, app.database.db);
    await until('another instance runs it', () => endless.runs === 2);
    expect([failing.runs, fine.runs]).to.deep.equal([1, 1]);
    gate.resolve();
  });

  it('of another version are left to the instances of that version', async () => {
    await app.database.db('schedules').insert({ name: 'of-tomorrow', due_at: new Date(0) });
    const one = counted('one');
    await using _workers = await start(one.schedule);
    await until('it has run', async () => one.runs === 1 && (await dueInSeconds('one')) > HOUR_SECONDS - 60);
    expect(await app.database.db('schedules').where({ name: 'of-tomorrow' }).first('due_at')).to.deep.equal({
      due_at: new Date(0),
    });
  });
});
