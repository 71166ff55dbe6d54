import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { fromKnex, type JobResult, PgBoss } from 'pg-boss';
import type { Logger } from '../kit/logger.ts';
import type { Listener } from './listener.ts';

const POLL_SECONDS = 0.5;
// As often although notifications wake it: behind a pooler in transaction mode none comes.
const POLLING = { pollingIntervalSeconds: POLL_SECONDS, notifyPollingIntervalSeconds: POLL_SECONDS } as const;
const DEAD_LETTERS = 'dead-letters';
const DEFAULT_CONCURRENCY = 2;
const DRAIN_MS = 15_000;
const MAINTENANCE_SECONDS = 600;
// How soon a job of a dead worker is retried: the heartbeat's timeout and the interval of its checks.
const HEARTBEAT_SECONDS = 15;
const MONITOR_SECONDS = 15;

/** For faults of ours and crashes. A job that is expected to fail catches its failure and sends the next one itself. */
const RETRIES = { retryLimit: 4, retryDelay: 5, retryBackoff: true, retryDelayMax: 300 } as const;

const QUEUE = {
  ...RETRIES,
  // At most one waiting job of each key, so `send` gives each job its own.
  policy: 'short',
  deadLetter: DEAD_LETTERS,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  expireInSeconds: 300,
  deleteAfterSeconds: 600,
  notify: true,
} as const;

interface SendOptions {
  /** The job exists only if this transaction commits. */
  readonly trx?: Knex.Transaction;
  readonly startAfterSeconds?: number;
}

interface WorkOptions {
  /** Jobs at once in this process. Each slot polls the database twice a second. Default 2. */
  readonly concurrency?: number;
  /** Jobs that a slot runs together; it polls again when all of them have ended. Default 1. */
  readonly batchSize?: number;
}

/** Aborted when the job takes too long (five minutes) or the service stops before it is done. */
type JobHandler<T> = (job: T, signal: AbortSignal) => Promise<void>;

interface QueueOptions {
  readonly db: Knex;
  readonly listener: Listener;
  readonly log: Logger;
}

export async function openQueue({ db, listener, log }: QueueOptions): Promise<Queue> {
  const boss = new PgBoss({
    db: { ...fromKnex(db), listen: listenThrough(listener) },
    useListenNotify: true,
    superviseIntervalSeconds: MONITOR_SECONDS,
    monitorIntervalSeconds: MONITOR_SECONDS,
    maintenanceIntervalSeconds: MAINTENANCE_SECONDS,
  });
  await using opened = new AsyncDisposableStack();
  const queue = opened.use(new Queue(boss, log));
  await queue.start();
  opened.move();
  return queue;
}

/** Background jobs in the same database as everything else. A job runs at least once: handlers must bear a repetition. */
export class Queue implements AsyncDisposable {
  readonly #boss: PgBoss;
  readonly #log: Logger;
  readonly #created = new Map<string, Promise<void>>();

  constructor(boss: PgBoss, log: Logger) {
    this.#log = log;
    this.#boss = boss;
    this.#boss.on('error', (error) => log.error('the queue met a fault', { error }));
    this.#boss.on('warning', ({ message }) => log.warn('the queue warns', { warning: message }));
  }

  async start(): Promise<void> {
    await this.#boss.start();
    await this.#boss.createQueue(DEAD_LETTERS);
  }

  async send(name: string, data: object, { trx, startAfterSeconds = 0 }: SendOptions = {}): Promise<void> {
    await this.#ensure(name);
    const options = { startAfter: startAfterSeconds, singletonKey: randomUUID(), ...(trx && { db: fromKnex(trx) }) };
    await this.#boss.send(name, data, options);
  }

  /** A handler that throws is tried again with growing pauses; after the fifth failure the job goes to the dead letters. */
  async work<T extends object>(
    name: string,
    handler: JobHandler<T>,
    { concurrency = DEFAULT_CONCURRENCY, batchSize = 1 }: WorkOptions = {},
  ): Promise<void> {
    await this.#ensure(name);
    const limits = { localConcurrency: concurrency, batchSize, burstWhenBatchFull: true } as const;
    const options = { ...POLLING, ...limits, perJobResults: true } as const;
    await this.#boss.work<T, void, typeof options>(name, options, (jobs) =>
      Promise.all(
        jobs.map(({ id, data, signal }) =>
          this.#run(name, () => handler(data, signal)).then(
            (): JobResult => ({ id, status: 'completed' }),
            (error: unknown): JobResult => ({ id, status: 'failed', output: error as object }),
          ),
        ),
      ),
    );
  }

  /** Runs on one instance each time. @param cron five fields, in UTC */
  async schedule(name: string, cron: string, handler: (signal: AbortSignal) => Promise<void>): Promise<void> {
    await this.work(name, (_job, signal) => handler(signal), { concurrency: 1 });
    await this.#boss.schedule(name, cron, null, { tz: 'UTC' });
  }

  unschedule(name: string): Promise<void> {
    return this.#boss.unschedule(name);
  }

  /** Fetches no new jobs, waits up to 15 s for the running ones, and releases the rest. */
  async stop(): Promise<void> {
    await this.#boss.stop({ graceful: true, timeout: DRAIN_MS });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** pg-boss stores the failure with the job, and an error of the database has the values of the row in its members. */
  async #run(name: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#log.error('a job failed', { queue: name, error });
      throw new Error(error instanceof Error ? error.name : 'not an error');
    }
  }

  #ensure(name: string): Promise<void> {
    const existing = this.#created.get(name);
    if (existing) return existing;
    const created = this.#boss.createQueue(name, QUEUE);
    this.#created.set(name, created);
    created.catch(() => this.#created.delete(name));
    return created;
  }
}

function listenThrough(listener: Listener) {
  return async (channel: string, onPayload: (payload: string) => void, onGap: () => void) => {
    const end = listener.subscribe(channel, { onPayload, onGap });
    return { close: async () => end() };
  };
}
