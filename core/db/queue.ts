import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { fromKnex, type JobInsert, PgBoss } from 'pg-boss';
import type { Logger } from '../kit/logger.ts';
import { runBatch } from './job-batch.ts';
import type { Listener } from './listener.ts';
import { type TurnOptions, TurnWorker } from './turn-worker.ts';

const POLL_SECONDS = 0.5;
// As often although notifications wake it: behind a pooler in transaction mode none comes.
const POLLING = { pollingIntervalSeconds: POLL_SECONDS, notifyPollingIntervalSeconds: POLL_SECONDS } as const;
const DEAD_LETTERS = 'dead-letters';
const DEFAULT_CONCURRENCY = 2;
const DRAIN_MS = 15_000;
/** Before the others, since what became of them is written through the same client; together below what a shutdown may take. */
const TURNS_DRAIN_MS = 8_000;
const MAINTENANCE_SECONDS = 600;
// How soon a job is tried again whose worker died: a heartbeat and a look at the heartbeats.
const HEARTBEAT_SECONDS = 15;
const MONITOR_SECONDS = 15;

/**
 * For faults of ours and crashes. What is expected to fail, such as a delivery, catches its failure and sends its next try
 * itself.
 */
const RETRIES = { retryLimit: 4, retryDelay: 5, retryBackoff: true, retryDelayMax: 300 } as const;

const QUEUE = {
  ...RETRIES,
  // At most one waiting job of each key; `send` makes keys up for the others.
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
  /** Nothing is sent while another job with the same key waits to begin. */
  readonly singletonKey?: string;
  /** Whose turn a job takes where they are taken in turns (`workInTurns`). */
  readonly group?: string;
  /** How long the job may take. Default 300. */
  readonly expireInSeconds?: number;
}

/** One of many that are sent together. */
export interface GroupedJob extends Required<Pick<SendOptions, 'group' | 'expireInSeconds'>> {
  readonly data: object;
}

interface WorkOptions {
  /** Jobs at once in this process. Each slot asks the database twice a second. Default 2. */
  readonly concurrency?: number;
}

interface BatchOptions {
  /** Jobs handed over together, at most. */
  readonly size: number;
}

/** Aborted when the job takes too long (five minutes) or the service stops before it is done. */
type JobHandler<T> = (job: T, signal: AbortSignal) => Promise<void>;
type BatchHandler<T> = (jobs: readonly T[], signal: AbortSignal) => Promise<void>;

/** Background jobs in the same database as everything else. A job runs at least once: handlers must bear a repetition. */
export interface Queue extends AsyncDisposable {
  send(name: string, data: object, options?: SendOptions): Promise<void>;
  /** Many jobs in one statement. */
  sendAll(name: string, jobs: readonly object[], options?: Pick<SendOptions, 'trx'>): Promise<void>;
  sendGrouped(name: string, jobs: readonly GroupedJob[], options?: Pick<SendOptions, 'trx'>): Promise<void>;
  /** A handler that throws is tried again with growing pauses; after the fifth failure the job goes to the dead letters. */
  work<T extends object>(name: string, handler: JobHandler<T>, options?: WorkOptions): Promise<void>;
  /** The same for jobs of which one group, however many it sends, must not keep the others waiting. */
  workInTurns<T extends object>(name: string, handler: JobHandler<T>, options: TurnOptions): Promise<void>;
  /**
   * For many small jobs: hands over what waits, again at once while there is more. When it throws, each
   * job of the batch is handed over again, alone.
   */
  workBatch<T extends object>(name: string, handler: BatchHandler<T>, options: BatchOptions): Promise<void>;
  /** Runs on one instance each time. @param cron five fields, in UTC */
  schedule(name: string, cron: string, handler: (signal: AbortSignal) => Promise<void>): Promise<void>;
  /** Takes no new jobs, waits up to 15 s (8 s for those in turns) for the running ones, and gives the rest back. */
  stop(): Promise<void>;
}

interface QueueDeps {
  readonly db: Knex;
  readonly listener: Listener;
  readonly log: Logger;
}

export async function openQueue({ db, listener, log }: QueueDeps): Promise<Queue> {
  const turns: Turns = new Map();
  const boss = new PgBoss({
    db: { ...fromKnex(db), listen: listenThrough(listener, (name) => turns.get(name)?.take()) },
    useListenNotify: true,
    superviseIntervalSeconds: MONITOR_SECONDS,
    monitorIntervalSeconds: MONITOR_SECONDS,
    maintenanceIntervalSeconds: MAINTENANCE_SECONDS,
  });
  const queue = new PgBossQueue(boss, log, turns);
  await queue.start();
  return queue;
}

/** For a process that ends soon: it sends, takes no jobs and keeps no house. */
export async function openSender({ db, log }: Omit<QueueDeps, 'listener'>): Promise<Pick<Queue, 'sendAll'> & AsyncDisposable> {
  const queue = new PgBossQueue(new PgBoss({ db: fromKnex(db), supervise: false, schedule: false, migrate: false }), log);
  await queue.start();
  return queue;
}

type Turns = Map<string, Pick<TurnWorker<object>, 'stop' | 'take'>>;

class PgBossQueue implements Queue {
  readonly #boss: PgBoss;
  readonly #log: Logger;
  readonly #known = new Map<string, Promise<void>>();
  /** Workers that take jobs in turns, by queue. */
  readonly #turns: Turns;

  constructor(boss: PgBoss, log: Logger, turns: Turns = new Map()) {
    this.#log = log;
    this.#turns = turns;
    this.#boss = boss;
    this.#boss.on('error', (error) => log.error('the queue met a fault', { error }));
    this.#boss.on('warning', ({ message }) => log.warn('the queue warns', { warning: message }));
  }

  async start(): Promise<void> {
    await this.#boss.start();
    await this.#boss.createQueue(DEAD_LETTERS);
  }

  async send(
    name: string,
    data: object,
    { trx, startAfterSeconds = 0, singletonKey = randomUUID(), group, expireInSeconds }: SendOptions = {},
  ): Promise<void> {
    await this.#ensure(name);
    await this.#boss.send(name, data, {
      startAfter: startAfterSeconds,
      singletonKey,
      ...(group !== undefined && { group: { id: group } }),
      ...(expireInSeconds !== undefined && { expireInSeconds }),
      ...(trx && { db: fromKnex(trx) }),
    });
  }

  sendAll(name: string, jobs: readonly object[], { trx }: Pick<SendOptions, 'trx'> = {}): Promise<void> {
    return this.#insert(
      name,
      jobs.map((data) => ({ data })),
      trx,
    );
  }

  sendGrouped(name: string, jobs: readonly GroupedJob[], { trx }: Pick<SendOptions, 'trx'> = {}): Promise<void> {
    const grouped = jobs.map(({ group, ...job }) => ({ ...job, group: { id: group } }));
    return this.#insert(name, grouped, trx);
  }

  async #insert(name: string, jobs: readonly JobInsert[], trx: Knex.Transaction | undefined): Promise<void> {
    if (jobs.length === 0) return;
    await this.#ensure(name);
    const keyed = jobs.map((job) => ({ ...job, singletonKey: randomUUID() }));
    await this.#boss.insert(name, keyed, trx && { db: fromKnex(trx) });
  }

  async work<T extends object>(
    name: string,
    handler: JobHandler<T>,
    { concurrency = DEFAULT_CONCURRENCY }: WorkOptions = {},
  ): Promise<void> {
    await this.#ensure(name);
    await this.#boss.work<T>(name, { ...POLLING, localConcurrency: concurrency, batchSize: 1 }, async ([job]) => {
      if (job) await this.#run(name, () => handler(job.data, job.signal));
    });
  }

  async workInTurns<T extends object>(name: string, handler: JobHandler<T>, options: TurnOptions): Promise<void> {
    await this.#ensure(name);
    const handle = (job: T, signal: AbortSignal) => this.#run(name, () => handler(job, signal));
    this.#turns.set(
      name,
      new TurnWorker<T>(this.#boss, name, { ...options, handle, pollMs: POLL_SECONDS * 1_000, log: this.#log }),
    );
  }

  async workBatch<T extends object>(name: string, handler: BatchHandler<T>, { size }: BatchOptions): Promise<void> {
    await this.#ensure(name);
    const batches = {
      ...POLLING,
      batchSize: size,
      burstWhenBatchFull: true,
      includeMetadata: true,
      perJobResults: true,
    } as const;
    await this.#boss.work<T, void, typeof batches>(name, batches, (jobs) =>
      runBatch(jobs, {
        handle: (data) => this.#run(name, () => handler(data, signalOf(jobs))),
        complete: (ids) => this.#boss.complete(name, ids),
      }),
    );
  }

  async schedule(name: string, cron: string, handler: (signal: AbortSignal) => Promise<void>): Promise<void> {
    await this.work(name, (_job, signal) => handler(signal), { concurrency: 1 });
    await this.#boss.schedule(name, cron, null, { tz: 'UTC' });
  }

  async stop(): Promise<void> {
    await Promise.all(this.#turns.values().map((worker) => worker.stop(TURNS_DRAIN_MS)));
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
    const known = this.#known.get(name);
    if (known) return known;
    const created = this.#boss.createQueue(name, QUEUE);
    this.#known.set(name, created);
    created.catch(() => this.#known.delete(name));
    return created;
  }
}

/** One for all of a batch. */
function signalOf(jobs: readonly { readonly signal: AbortSignal }[]): AbortSignal {
  const [job] = jobs;
  if (job === undefined) throw new Error('a batch without jobs');
  return job.signal;
}

/** @param onJob told of the queue's name when a job is there, beside the client */
function listenThrough(listener: Listener, onJob: (queue: string) => void) {
  return async (channel: string, onPayload: (payload: string) => void, onGap: () => void) => {
    const both = (queue: string) => {
      onPayload(queue);
      onJob(queue);
    };
    const end = listener.subscribe(channel, { onPayload: both, onGap });
    return { close: async () => end() };
  };
}
