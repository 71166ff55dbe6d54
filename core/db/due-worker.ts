import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../kit/logger.ts';
import type { Signals, WorkTopic } from './work-signals.ts';
import { WorkTable } from './work-table.ts';

const AT_ONCE = 50;
const PER_GROUP = 10;
/**
 * Milliseconds after which work on a row is assumed to wait for a host that does not respond, and its slot is given to another
 * row.
 */
const SILENT_AFTER_MS = 5_000;
/** Minimum milliseconds between two claims: one claim fills all slots that have become free since the last. */
const CLAIM_EVERY_MS = 50;
const DRAIN_MS = 10_000;

/** The number of rows that may be claimed. */
export interface Room {
  readonly rows: number;
  /**
   * How many more rows of each group may be claimed. Lists the groups that have rows in work or a size in `groupSizes`; for all
   * others, `perGroup` applies.
   */
  readonly groups: ReadonlyMap<string, number>;
  readonly perGroup: number;
}

interface DueWorkerOptions<Row> {
  readonly signals: Signals;
  readonly log: Logger;
  readonly topic: WorkTopic;
  /** Claims rows that are due, the longest due first, and no more than there is room for. */
  readonly claim: (room: Room) => Promise<readonly Row[]>;
  /** @returns milliseconds until the next row falls due; undefined if none does */
  readonly nextDueMs: () => Promise<number | undefined>;
  /** Returns the group of a row. All rows of a group wait for the same host, so only a few of them are worked on at a time. */
  readonly groupOf: (row: Row) => string;
  /** Works on a row and stores the outcome. A failure is logged. */
  readonly work: (row: Row, signal: AbortSignal) => Promise<void>;
  /** Maximum number of rows of a group that are worked on at a time, for groups that deviate from the default of 10. */
  readonly groupSizes?: ReadonlyMap<string, number>;
  /** Maximum number of rows worked on at a time, not counting those that have taken longer than 5 s. Default: 50. */
  readonly atOnce?: number;
}

/**
 * Works on the due rows of a table, many at a time. A host that does not respond does not hold up rows for other hosts: the
 * number of rows per group is limited, and a row that takes longer than 5 s no longer counts towards the total.
 */
export class DueWorker<Row> implements AsyncDisposable {
  readonly #options: DueWorkerOptions<Row>;
  readonly #table: WorkTable;
  readonly #stopping = new AbortController();
  readonly #groups = new Map<string, number>();
  readonly #running = new Set<Promise<void>>();
  /** Number of rows in work that have taken less than 5 s so far. */
  #quick = 0;

  constructor(options: DueWorkerOptions<Row>) {
    this.#options = options;
    const { signals, log, topic } = options;
    this.#table = new WorkTable({ signals, log, topic, look: () => this.#look(), minIntervalMs: CLAIM_EVERY_MS });
  }

  start(): void {
    this.#table.start();
  }

  /**
   * Claims no more rows, aborts the signal of those in work, and waits up to 10 s for them. A row that is not finished then falls
   * due again when its claim ends.
   */
  async stop(): Promise<void> {
    this.#stopping.abort(new DOMException('the service stops', 'AbortError'));
    await this.#table.stop();
    await Promise.race([Promise.all(this.#running), pause(DRAIN_MS, undefined, { ref: false })]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Works until no claimable row is due any more. @returns how many rows were worked on */
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
      log.error('work on a due row failed', { topic, group: groupOf(row), error });
    }
  }
}
