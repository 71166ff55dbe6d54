import type { Knex } from 'knex';
import { describeDatabaseFault } from '../../db/database-fault.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Logger } from '../../kit/logger.ts';
import { redact, safeText } from '../../kit/redact.ts';
import type { NewAuditEntry } from '../audit-trail/entry.ts';
import { insertOperations } from './activity-store.ts';
import { administrationOf } from './administration.ts';
import { addCounts, type OperationCount } from './count-store.ts';
import {
  begunRow,
  endedRow,
  type Message,
  type NewOperation,
  type OperationOutcome,
  type OperationStart,
  type OperationStatus,
} from './operation-row.ts';

const HOUR_MS = 3_600_000;
/** Counts that wait to be written. They take little memory, however many operations are counted. */
class Uncounted {
  readonly #counts = new Map<string, OperationCount>();

  add(
    counted: Pick<OperationCount, 'environment_id' | 'kind' | 'status'>,
    { at, count = 1 }: { at: Date; count?: number },
  ): void {
    const { environment_id, kind, status } = counted;
    const hour = Math.floor(at.getTime() / HOUR_MS) * HOUR_MS;
    const key = `${environment_id} ${hour} ${kind} ${status}`;
    const before = this.#counts.get(key)?.count ?? 0;
    this.#counts.set(key, { environment_id, hour: new Date(hour), kind, status, count: before + count });
  }

  /** Removes and returns all counts. */
  take(): readonly OperationCount[] {
    const counts = [...this.#counts.values()];
    this.#counts.clear();
    return counts;
  }
}

const FLUSH_EVERY_MS = 1_000;
const FLUSH_AT = 500;
/**
 * Maximum number of operations that wait to be written. Beyond it, new ones are dropped and only their number is counted: the log
 * must never block the work that it records.
 */
const MAX_WAITING = 20_000;
const MAX_MESSAGES = 50;
/** Maximum size of the facts of one operation, as JSON; later messages are kept without their facts. */
const MAX_FACT_BYTES = 64 * 1024;
/** Maximum number of successful proxied calls that are kept per second; the rest are only counted. Failures are always kept. */
const ROUTINE_PER_SECOND = 100;

type Level = Message['level'];
type Facts = Readonly<Record<string, unknown>>;

/** One thing that the service did for a connection. Callers get its ID as `log_id`. */
export interface Operation {
  readonly id: string;
  /** Adds a message. The facts are redacted here, but nothing recognises secrets in the text of a provider, so never pass any. */
  note(level: Level, message: string, facts?: Facts): void;
  /** Sets the given fields of the outcome; those from earlier calls remain. */
  describe(outcome: OperationOutcome): void;
  /** Ends the operation and adds it to the batch that is written about once a second. */
  end(status: OperationStatus): void;
  /** Ends the operation and writes it immediately, in the transaction of the change that it describes. */
  endIn(trx: Knex, status: OperationStatus, connectionId: string): Promise<void>;
}

interface ActivityDeps {
  readonly db: Knex;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called with each operation that has ended and is kept. Default: nobody is told. */
  readonly onEnd?: (operation: NewOperation) => void;
}

/** The operation log: collected in memory and written in batches, so that no request waits for it. */
export class Activity implements AsyncDisposable {
  readonly #deps: ActivityDeps;
  #waiting: NewOperation[] = [];
  #writing: Promise<void> | undefined;
  readonly #uncounted = new Uncounted();
  readonly #timer: NodeJS.Timeout;
  #dropped = 0;
  #routineSecond = 0;
  #routineCount = 0;

  constructor(deps: ActivityDeps) {
    this.#deps = deps;
    this.#timer = setInterval(() => void this.#write(), FLUSH_EVERY_MS).unref();
  }

  /**
   * Number of operations dropped since the start, because too many calls were proxied, too many operations were waiting for the
   * database, or the database rejected them.
   */
  get dropped(): number {
    return this.#dropped;
  }

  begin(start: OperationStart): Operation {
    const { clock } = this.#deps;
    const messages: Message[] = [];
    const begun = begunRow(start, { messages, now: new Date(clock.now().getTime() - (start.sinceMs ?? 0)) });
    let outcome: OperationOutcome = {};
    let bytes = 0;
    const ended = (status: OperationStatus) => {
      const row = endedRow(begun, { ...outcome, status, at: clock.now() });
      this.#deps.onEnd?.(row);
      return row;
    };
    return {
      id: begun.id,
      note: (level, message, facts = {}) => {
        if (messages.length === MAX_MESSAGES) return;
        const safe = redact(facts);
        bytes += Buffer.byteLength(JSON.stringify(safe));
        const kept = bytes <= MAX_FACT_BYTES ? safe : {};
        messages.push({ at: clock.now().toISOString(), level, message: safeText(message), facts: kept });
      },
      describe: (more) => {
        outcome = { ...outcome, ...more };
      },
      end: (status) => this.#add(ended(status)),
      endIn: async (trx, status, connectionId) => {
        await insertOperations(trx, [{ ...ended(status), connection_id: connectionId }], { isCounted: false });
        // Not counted in the transaction, because that would lock the counter for all other writers until the transaction ends.
        this.#uncounted.add({ environment_id: begun.environment_id, kind: begun.type, status }, { at: begun.created_at });
      },
    };
  }

  /** Adds an operation for an entry of the audit trail. */
  noteAdministration(entry: NewAuditEntry): void {
    const done = administrationOf(entry);
    if (done === undefined) return;
    const operation = this.begin(done.start);
    operation.note('info', done.summary, entry.facts);
    operation.end('success');
  }

  /**
   * Returns whether to keep one more successful proxied call, and counts the call if not. To be called before its operation is
   * created, because creating one for each call costs too much under load.
   */
  takesRoutine(environmentId: number): boolean {
    const second = Math.floor(performance.now() / 1_000);
    if (second !== this.#routineSecond) {
      this.#routineSecond = second;
      this.#routineCount = 0;
    }
    this.#routineCount += 1;
    if (this.#routineCount <= ROUTINE_PER_SECOND) return true;
    this.#dropped += 1;
    this.count('proxy', { environmentId, status: 'success' });
    return false;
  }

  /** Counts an event that is not written as an operation. */
  count(kind: string, { environmentId, status }: { readonly environmentId: number; readonly status: OperationStatus }): void {
    this.#uncounted.add({ environment_id: environmentId, kind, status }, { at: this.#deps.clock.now() });
  }

  /** Resolves when all operations that have ended so far are in the database, or when the database is unreachable. */
  async flush(): Promise<void> {
    await this.#writing; // it may have begun before the last operation ended
    await this.#write();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  #add(row: NewOperation): void {
    if (this.#waiting.length >= MAX_WAITING) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(row);
    if (this.#waiting.length >= FLUSH_AT) void this.#write();
  }

  /**
   * Starts a write unless one is running, so that rows for a slow database pile up only in the list, whose length is limited.
   * Never rejects.
   */
  #write(): Promise<void> {
    this.#writing ??= this.#writeWaiting().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #writeWaiting(): Promise<void> {
    await this.#writeCounts();
    for (let left = this.#waiting.length; left > 0; left -= FLUSH_AT) {
      const rows = this.#waiting.splice(0, Math.min(left, FLUSH_AT));
      const rejected = await this.#rejected(rows);
      if (rejected === undefined) {
        this.#keep(rows);
        return;
      }
      this.#dropped += rejected;
    }
  }

  async #writeCounts(): Promise<void> {
    const counts = this.#uncounted.take();
    if (counts.length === 0) return;
    try {
      await addCounts(this.#deps.db, counts);
    } catch (error) {
      if (describeDatabaseFault(error) === undefined)
        this.#deps.log.warn('the counts of operations could not be stored', { error });
      else for (const one of counts) this.#uncounted.add(one, { at: one.hour, count: one.count });
    }
  }

  /** Writes rows. @returns how many rows were rejected; undefined if the database is unreachable and they should be retried */
  async #rejected(rows: readonly NewOperation[]): Promise<number | undefined> {
    try {
      return await insertOperations(this.#deps.db, rows);
    } catch (error) {
      if (describeDatabaseFault(error) !== undefined) return undefined;
      if (rows.length > 1) return this.#rejectedOneByOne(rows);
      this.#deps.log.warn('an entry of the operation log could not be stored', { error });
      return 1;
    }
  }

  /** Writes the rows one by one, since one invalid row must not affect the others. Those that the database is lost for are kept. */
  async #rejectedOneByOne(rows: readonly NewOperation[]): Promise<number> {
    let count = 0;
    for (const [at, row] of rows.entries()) {
      const rejected = await this.#rejected([row]);
      if (rejected === undefined) {
        this.#keep(rows.slice(at));
        break;
      }
      count += rejected;
    }
    return count;
  }

  #keep(rows: readonly NewOperation[]): void {
    const room = Math.max(0, MAX_WAITING - this.#waiting.length);
    this.#waiting.unshift(...rows.slice(0, room));
    this.#dropped += rows.length - Math.min(rows.length, room);
    this.#deps.log.warn('entries of the operation log wait for the database', { count: this.#waiting.length });
  }
}
