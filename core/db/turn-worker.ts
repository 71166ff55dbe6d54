import type { Job, PgBoss } from 'pg-boss';
import type { Logger } from '../kit/logger.ts';

/** Several times within the 15 s after which a job without a sign of life is given to somebody else. */
const TOUCH_MS = 5_000;

export interface TurnOptions {
  /** Jobs at once in this process. */
  readonly concurrency: number;
  /** Of one group at once in this process; those of other groups pass it. */
  readonly perGroup: number;
}

interface TurnWork<T> extends TurnOptions {
  readonly handle: (job: T, signal: AbortSignal) => Promise<void>;
  /** How often a queue that was empty is asked. */
  readonly pollMs: number;
  readonly log: Logger;
}

/** What it uses of the queue's client. */
type Client = Pick<PgBoss, 'fetch' | 'complete' | 'fail' | 'touch'>;

/**
 * Takes jobs one by one, the oldest of a group that has not its share of this process yet. The client's own workers know groups
 * too, but take no more than two jobs a second each.
 */
export class TurnWorker<T extends object> {
  readonly #client: Client;
  readonly #name: string;
  readonly #work: TurnWork<T>;
  readonly #running = new Map<string, { readonly group: string | undefined; readonly end: AbortController }>();
  readonly #done = new Set<Promise<void>>();
  readonly #poll: NodeJS.Timeout;
  readonly #touch: NodeJS.Timeout;
  #taking: Promise<void> | undefined;
  #isStopped = false;

  constructor(client: Client, name: string, work: TurnWork<T>) {
    this.#client = client;
    this.#name = name;
    this.#work = work;
    this.#poll = setInterval(() => this.take(), work.pollMs).unref();
    this.#touch = setInterval(() => void this.#touchAll(), TOUCH_MS).unref();
  }

  /** Takes no more, waits for what runs, then ends it and gives it back. */
  async stop(withinMs: number): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#poll);
    await this.#taking;
    const reason = new DOMException('the service stops', 'AbortError');
    const over = setTimeout(() => [...this.#running.values()].map(({ end }) => end.abort(reason)), withinMs);
    await Promise.all(this.#done);
    clearTimeout(over);
    clearInterval(this.#touch);
  }

  /** Looks whether there is a job. One look at a time, which takes until nothing is there. */
  take(): void {
    if (this.#isStopped || this.#taking !== undefined) return;
    this.#taking = this.#takeAll()
      .catch((error: unknown) => this.#work.log.warn('the queue could not be asked', { queue: this.#name, error }))
      .finally(() => {
        this.#taking = undefined;
      });
  }

  async #takeAll(): Promise<void> {
    while (!this.#isStopped && this.#running.size < this.#work.concurrency) {
      const [job] = await this.#client.fetch<T>(this.#name, { batchSize: 1, ignoreGroups: this.#fullGroups() });
      if (job === undefined) return;
      const done = this.#handle(job);
      this.#done.add(done);
      void done.finally(() => this.#done.delete(done));
    }
  }

  #fullGroups(): string[] {
    const counts = new Map<string, number>();
    for (const { group } of this.#running.values()) if (group !== undefined) counts.set(group, (counts.get(group) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= this.#work.perGroup).map(([group]) => group);
  }

  /** Never rejects. */
  async #handle(job: Job<T>): Promise<void> {
    const end = new AbortController();
    this.#running.set(job.id, { group: job.groupId ?? undefined, end });
    const over = setTimeout(
      () => end.abort(new DOMException('the job took too long', 'TimeoutError')),
      job.expireInSeconds * 1_000,
    );
    const isDone = await this.#work.handle(job.data, end.signal).then(
      () => true,
      () => false,
    );
    clearTimeout(over);
    try {
      await (isDone ? this.#client.complete(this.#name, job.id) : this.#client.fail(this.#name, job.id));
    } catch (error) {
      // Without a sign of life it is handed over again.
      this.#work.log.warn('what became of a job could not be written', { queue: this.#name, error });
    }
    this.#running.delete(job.id);
    this.take();
  }

  async #touchAll(): Promise<void> {
    if (this.#running.size === 0) return;
    try {
      await this.#client.touch(this.#name, [...this.#running.keys()]);
    } catch (error) {
      this.#work.log.warn('running jobs could not give a sign of life', { queue: this.#name, error });
    }
  }
}
