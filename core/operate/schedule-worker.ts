import type { Knex } from 'knex';
import { DueWorker } from '../db/due-worker.ts';
import type { Signals } from '../db/work-signals.ts';
import type { Logger } from '../kit/logger.ts';
import {
  claimSchedules,
  type DueSchedule,
  insertSchedules,
  makeSchedulesDue,
  nextScheduleMs,
  writeNextRun,
} from './schedule-store.ts';

/** Work that is repeated at intervals, each time on one instance. */
export interface Schedule<Deps> {
  /** The name of its row in the table `schedules`. */
  readonly name: string;
  /** Seconds from the end of a run, even a failed one, to the beginning of the next, which may begin up to 15 s late. */
  readonly everySeconds: number;
  /** Whether it is also due at each start of an instance, because the instance's settings decide what there is to do. */
  readonly isDueAtStart?: boolean;
  run(deps: Deps): Promise<unknown>;
}

interface WorkerDeps {
  readonly db: Knex;
  readonly signals: Signals;
  readonly log: Logger;
}

/** Runs schedules that are due. */
export class ScheduleWorker<Deps extends WorkerDeps> implements AsyncDisposable {
  readonly #deps: Deps;
  readonly #schedules: ReadonlyMap<string, Schedule<Deps>>;
  readonly #worker: DueWorker<DueSchedule>;

  constructor(deps: Deps, schedules: readonly Schedule<Deps>[]) {
    const { db, signals, log } = deps;
    this.#deps = deps;
    this.#schedules = new Map(schedules.map((schedule) => [schedule.name, schedule]));
    this.#worker = new DueWorker({
      ...{ signals, log, topic: 'schedules' },
      // Rows of schedules that only another version of the service knows are left to its instances.
      claim: (room) => claimSchedules(db, { ...room, perGroup: 0 }),
      nextDueMs: () => nextScheduleMs(db),
      groupOf: ({ name }) => name,
      // A schedule that takes longer than its claim is not started again while it runs.
      groupSizes: new Map(schedules.map(({ name }) => [name, 1])),
      work: ({ name }) => this.#run(name),
    });
  }

  async start(): Promise<void> {
    const schedules = [...this.#schedules.values()];
    await insertSchedules(this.#deps.db, [...this.#schedules.keys()]);
    await makeSchedulesDue(
      this.#deps.db,
      schedules.filter(({ isDueAtStart }) => isDueAtStart).map(({ name }) => name),
    );
    this.#worker.start();
  }

  stop(): Promise<void> {
    return this.#worker.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #run(name: string): Promise<void> {
    const { run, everySeconds } = this.#schedules.get(name) ?? missing(name);
    try {
      await run(this.#deps);
    } finally {
      await writeNextRun(this.#deps.db, name, everySeconds);
    }
  }
}

function missing(name: string): never {
  throw new Error(`there is no schedule "${name}"`);
}
