import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { describeDatabaseFault } from '../db/database-fault.ts';
import type { OperationRow } from '../db/rows.ts';
import type { Clock } from '../kit/clock.ts';
import type { Logger } from '../kit/logger.ts';
import { redact, safeText } from '../kit/redact.ts';
import { insertOperations } from './activity-store.ts';

const FLUSH_EVERY_MS = 1_000;
const FLUSH_AT = 500;
/** Beyond this many unwritten operations new ones are dropped and counted: the log must never block what it logs. */
const MAX_WAITING = 20_000;
const MAX_MESSAGES = 50;
/** The maximum length of valid names. */
const MAX_NAME = 255;
/** Successful routine operations kept per second; the others are only counted. Failures are always kept. */
const ROUTINE_PER_SECOND = 100;

export interface OperationStart {
  readonly type: 'auth' | 'refresh' | 'proxy' | 'deletion' | 'webhook' | 'script';
  readonly operation: string;
  readonly environmentId: number;
  readonly connectionId?: string;
  readonly providerConfigKey?: string;
  /** Milliseconds since its start. Default 0. */
  readonly sinceMs?: number;
}

type Level = 'info' | 'warn' | 'error';
type Facts = Readonly<Record<string, unknown>>;

/** One thing the service did for a connection. Callers get its ID as `log_id`. */
export interface Operation {
  readonly id: string;
  /** Facts are redacted here; never pass text of a provider. */
  note(level: Level, message: string, facts?: Facts): void;
  /** Adds the operation to the batch that is written about once a second. */
  end(status: 'success' | 'failure'): void;
  /** Writes it immediately, in the transaction of what it describes. */
  endIn(trx: Knex, status: 'success' | 'failure', connectionId: string): Promise<void>;
}

interface ActivityDeps {
  readonly db: Knex;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The operation log: collected in memory and written in batches, so that no request waits for it. */
export class Activity implements AsyncDisposable {
  readonly #deps: ActivityDeps;
  #waiting: OperationRow[] = [];
  #writing: Promise<void> | undefined;
  readonly #timer: NodeJS.Timeout;
  #dropped = 0;
  #routineSecond = 0;
  #routineCount = 0;

  constructor(deps: ActivityDeps) {
    this.#deps = deps;
    this.#timer = setInterval(() => void this.#write(), FLUSH_EVERY_MS).unref();
  }

  /** Operations dropped since the start: too many, too many waiting for the database, or rejected by it. */
  get dropped(): number {
    return this.#dropped;
  }

  begin(start: OperationStart): Operation {
    const messages: unknown[] = [];
    const row = newRow(start, { messages, now: new Date(this.#deps.clock.now().getTime() - (start.sinceMs ?? 0)) });
    return {
      id: row.id,
      note: (level, message, facts = {}) => {
        if (messages.length < MAX_MESSAGES) {
          messages.push({ at: this.#deps.clock.now().toISOString(), level, message: safeText(message), facts: redact(facts) });
        }
      },
      end: (status) => this.#add({ ...row, status, ended_at: this.#deps.clock.now() }),
      endIn: (trx, status, connectionId) =>
        insertOperations(trx, [{ ...row, status, ended_at: this.#deps.clock.now(), connection_id: connectionId }]),
    };
  }

  /** Whether to keep one more successful operation. To be called before one is created, which costs too much under load. */
  takesRoutine(): boolean {
    const second = Math.floor(performance.now() / 1_000);
    if (second !== this.#routineSecond) {
      this.#routineSecond = second;
      this.#routineCount = 0;
    }
    this.#routineCount += 1;
    if (this.#routineCount <= ROUTINE_PER_SECOND) return true;
    this.#dropped += 1;
    return false;
  }

  /** Resolves when everything ended so far is in the database, unless that is unreachable. */
  async flush(): Promise<void> {
    await this.#writing; // may have begun before the last operation ended
    await this.#write();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  #add(row: OperationRow): void {
    if (this.#waiting.length >= MAX_WAITING) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(row);
    if (this.#waiting.length >= FLUSH_AT) void this.#write();
  }

  /** One write at a time, so that with a slow database the rows stay in the bounded list. Never rejects. */
  #write(): Promise<void> {
    this.#writing ??= this.#writeWaiting().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #writeWaiting(): Promise<void> {
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

  /** @returns how many rows were rejected; undefined if the database is unreachable and they should be retried */
  async #rejected(rows: readonly OperationRow[]): Promise<number | undefined> {
    try {
      await insertOperations(this.#deps.db, rows);
      return 0;
    } catch (error) {
      if (describeDatabaseFault(error) !== undefined) return undefined;
      if (rows.length > 1) return this.#rejectedOneByOne(rows);
      this.#deps.log.warn('an operation could not be written', { error });
      return 1;
    }
  }

  /** One invalid row, e.g. of a deleted environment, must not affect the others. */
  async #rejectedOneByOne(rows: readonly OperationRow[]): Promise<number> {
    let count = 0;
    for (const row of rows) count += (await this.#rejected([row])) ?? 1;
    return count;
  }

  #keep(rows: readonly OperationRow[]): void {
    const room = Math.max(0, MAX_WAITING - this.#waiting.length);
    this.#waiting.unshift(...rows.slice(0, room));
    this.#dropped += rows.length - Math.min(rows.length, room);
    this.#deps.log.warn('the operation log waits for the database', { count: this.#waiting.length });
  }
}

function newRow(start: OperationStart, { messages, now }: { messages: readonly unknown[]; now: Date }): OperationRow {
  return {
    id: randomUUID(),
    environment_id: start.environmentId,
    type: start.type,
    // Input of the caller, which may be a key in the wrong header.
    operation: safeText(start.operation, MAX_NAME),
    status: 'running',
    connection_id: safeText(start.connectionId ?? '', MAX_NAME) || null,
    provider_config_key: safeText(start.providerConfigKey ?? '', MAX_NAME) || null,
    created_at: now,
    ended_at: null,
    messages,
  };
}
