import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../kit/logger.ts';
import type { Signals, WorkTopic } from './work-signals.ts';
import { WorkTable } from './work-table.ts';

const AT_ONCE = 50;
const PER_GROUP = 10;
/** Work that takes longer waits for somebody who is silent: it makes room for others. */
const SILENT_AFTER_MS = 5_000;
/** Slots that become free meanwhile are filled by one claim. */
const CLAIM_EVERY_MS = 50;
const DRAIN_MS = 10_000;

/** Room for rows that are to be claimed. */
export interface Room {
  readonly rows: number;
  /** Of groups that are worked for: how many more rows they may have. Other groups: `perGroup`. */
  readonly groups: ReadonlyMap<string, number>;
  readonly perGroup: number;
}

interface DueWorkerOptions<Row> {
  readonly signals: Signals;
  readonly log: Logger;
  readonly topic: WorkTopic;
  /** Claims rows that are due, the longest due first, and no more than there is room for. */
  readonly claim: (room: Room) => Promise<readonly Row[]>;
  /** @returns milliseconds until the next row falls due; undefined: none does */
  readonly nextDueMs: () => Promise<number | undefined>;
  /** Rows of a group wait for the same host, and are few at once. */
  readonly groupOf: (row: Row) => string;
  /** Writes down how it ended. A failure is logged. */
  readonly work: (row: Row, signal: AbortSignal) => Promise<void>;
  /** Of groups that have a size of their own. */
  readonly groupSizes?: ReadonlyMap<string, number>;
  /** Rows that are worked on at once, without those that have taken long. Default 50. */
  readonly atOnce?: number;
}

/**
 * Works on the due rows of a table, many at once. Somebody who is silent costs others nothing: a group has few rows at once, and a
 * row that takes long no longer counts.
 */
export class DueWorker<Row> implements AsyncDisposable {
  readonly #options: DueWorkerOptions<Row>;
  readonly #table: WorkTable;
  readonly #stopping = new AbortController();
  readonly #groups = new Map<string, number>();
  readonly #running = new Set<Promise<void>>();
  /** Rows that have not taken long yet. */
  #quick = 0;

  constructor(options: DueWorkerOptions<Row>) {
    this.#options = options;
    const { signals, log, topic } = options;
    this.#table = new WorkTable({ signals, log, topic, look: () => this.#look(), minIntervalMs: CLAIM_EVERY_MS });
  }

  start(): void {
    this.#table.start();
  }

  /** Claims no more, aborts the signal of what is under way, and waits up to 10 s for that. */
  async stop(): Promise<void> {
    this.#stopping.abort(new DOMException('the service stops', 'AbortError'));
    await this.#table.stop();
    await Promise.race([Promise.all(this.#running), pause(DRAIN_MS, undefined, { ref: false })]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Works until nothing is due any more that may be claimed. @returns how many rows were worked on */
  async workOff(): Promise<number> {
    for (let count = 0; ; ) {
      const claimed = await this.#claim();
      if (claimed === 0 && this.#running.size === 0) return count;
      count += claimed;
      await Promise.race(this.#running);
    }
  }

  async #look(): Promise<number | undefined> {
    while (this.#atOnce > this.#quick) {
      const claimed = this.#stopping.signal.aborted ? 0 : await this.#claim();
      if (claimed === 0) return await this.#options.nextDueMs();
    }
    return undefined;
  }

  get #atOnce(): number {
    return this.#options.atOnce ?? AT_ONCE;
  }

  async #claim(): Promise<number> {
    const { claim, groupSizes = new Map<string, number>() } = this.#options;
    const groups = new Map(groupSizes);
    for (const [group, count] of this.#groups) groups.set(group, (groupSizes.get(group) ?? PER_GROUP) - count);
    const rows = await claim({ rows: this.#atOnce - this.#quick, groups, perGroup: PER_GROUP });
    for (const row of rows) this.#begin(row);
    return rows.length;
  }

  #begin(row: Row): void {
    const group = this.#options.groupOf(row);
    this.#groups.set(group, (this.#groups.get(group) ?? 0) + 1);
    this.#quick += 1;
    let isQuick = true;
    const makeRoom = () => {
      if (isQuick) this.#quick -= 1;
      isQuick = false;
      this.#table.request();
    };
    const silent = setTimeout(makeRoom, SILENT_AFTER_MS).unref();
    const running = this.#work(row).finally(() => {
      clearTimeout(silent);
      this.#leave(group);
      this.#running.delete(running);
      makeRoom();
    });
    this.#running.add(running);
  }

  #leave(group: string): void {
    const left = (this.#groups.get(group) ?? 1) - 1;
    if (left === 0) this.#groups.delete(group);
    else this.#groups.set(group, left);
  }

  /** Never rejects. */
  async #work(row: Row): Promise<void> {
    const { work, log, topic, groupOf } = this.#options;
    try {
      await work(row, this.#stopping.signal);
    } catch (error) {
      log.error('due work failed', { topic, group: groupOf(row), error });
    }
  }
}
