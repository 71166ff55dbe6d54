import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { OperationRow } from '../db/rows.ts';
import type { Clock } from '../kit/clock.ts';
import type { Logger } from '../kit/logger.ts';
import { redact } from '../kit/redact.ts';
import { insertOperations } from './activity-store.ts';

const FLUSH_EVERY_MS = 1_000;
const FLUSH_AT = 500;
/** Beyond this many unwritten operations new ones are dropped and counted: the log must never hold up what it logs. */
const MAX_WAITING = 20_000;
const MAX_MESSAGES = 50;

export interface OperationStart {
  readonly type: 'auth' | 'refresh' | 'proxy' | 'deletion';
  readonly operation: string;
  readonly environmentId: number;
  readonly connectionId?: string;
  readonly providerConfigKey?: string;
}

export type Level = 'info' | 'warn' | 'error';
export type Facts = Readonly<Record<string, unknown>>;

/** One thing the service did for a connection. Its ID is the `log_id` that callers are given. */
export interface Operation {
  readonly id: string;
  /** Facts are redacted here; never pass what a provider wrote. */
  note(level: Level, message: string, facts?: Facts): void;
  /** Hands the operation to the batch that is written about once a second. */
  end(status: 'success' | 'failure'): void;
  /** Writes it at once, inside the transaction of what it tells of. */
  endIn(trx: Knex, status: 'success' | 'failure', connectionId: string): Promise<void>;
}

interface ActivityDeps {
  readonly db: Knex;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The operation log: collected in memory, written in batches, never in the way of a request. */
export class Activity implements AsyncDisposable {
  readonly #deps: ActivityDeps;
  #waiting: OperationRow[] = [];
  #writing: Promise<void> = Promise.resolve();
  readonly #timer: NodeJS.Timeout;
  #dropped = 0;

  constructor(deps: ActivityDeps) {
    this.#deps = deps;
    this.#timer = setInterval(() => this.#startFlush(), FLUSH_EVERY_MS).unref();
  }

  /** Operations lost since the start because the database could not keep up. */
  get dropped(): number {
    return this.#dropped;
  }

  begin(start: OperationStart): Operation {
    const messages: unknown[] = [];
    const row = newRow(start, { messages, now: this.#deps.clock.now() });
    return {
      id: row.id,
      note: (level, message, facts = {}) => {
        if (messages.length < MAX_MESSAGES) {
          messages.push({ at: this.#deps.clock.now().toISOString(), level, message, facts: redact(facts) });
        }
      },
      end: (status) => this.#add({ ...row, status, ended_at: this.#deps.clock.now() }),
      endIn: (trx, status, connectionId) =>
        insertOperations(trx, [{ ...row, status, ended_at: this.#deps.clock.now(), connection_id: connectionId }]),
    };
  }

  /** Resolves when everything ended so far is in the database, or was dropped because it cannot be written. */
  async flush(): Promise<void> {
    this.#startFlush();
    await this.#writing;
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
    if (this.#waiting.length >= FLUSH_AT) this.#startFlush();
  }

  #startFlush(): void {
    if (this.#waiting.length === 0) return;
    const rows = this.#waiting.splice(0, FLUSH_AT);
    this.#writing = this.#writing.then(() => this.#write(rows));
    if (this.#waiting.length > 0) this.#startFlush();
  }

  async #write(rows: readonly OperationRow[]): Promise<void> {
    try {
      await insertOperations(this.#deps.db, rows);
    } catch (error) {
      this.#dropped += rows.length;
      this.#deps.log.warn('operations could not be written', { error, count: rows.length });
    }
  }
}

function newRow(start: OperationStart, { messages, now }: { messages: readonly unknown[]; now: Date }): OperationRow {
  return {
    id: randomUUID(),
    environment_id: start.environmentId,
    type: start.type,
    operation: start.operation,
    status: 'running',
    connection_id: start.connectionId ?? null,
    provider_config_key: start.providerConfigKey ?? null,
    created_at: now,
    ended_at: null,
    messages,
  };
}
