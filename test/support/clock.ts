import type { Knex } from 'knex';
import { createPublisher } from '../../core/db/notices.ts';
import type { WorkTopic } from '../../core/db/work-signals.ts';
import type { Clock } from '../../core/kit/clock.ts';
import { words } from './words.ts';

type Columns = Readonly<Record<string, readonly string[]>>;

/**
 * Columns that the service compares with the database's clock. Tests cannot set that clock, so they move the times in the columns
 * instead. Columns that the service compares with its `Clock` (the expiry of sessions and flows) must not be listed here, or time
 * would pass twice for them.
 *
 * The columns of one entry are changed in one transaction.
 */
const DATABASE_CLOCK_COLUMNS: readonly Columns[] = [
  {
    connections: words`
      expires_at refresh_after refreshed_at last_refresh_at state_since outage_told_at
    `,
    refreshes: words`due_at leased_at lease_until`,
  },
  { environments: ['webhook_secret_old_until'] },
  { idempotency_keys: ['claimed_until', 'expires_at'] },
  { connection_deletions: ['due_at'], due_subscriptions: ['due_at'], erasures: ['due_at'] },
  { webhook_targets: ['open_until'], webhook_messages: ['next_attempt_at', 'attempt_until', 'early_at'] },
  { script_queue: ['due_at', 'claimed_until'], schedules: ['due_at'] },
];

const WORK_TOPICS: readonly WorkTopic[] = [
  'refreshes',
  'subscriptions',
  'deletions',
  'erasures',
  'webhook-deliveries',
  'webhook-messages',
  'script-queue',
  'schedules',
];

/** A clock for the service under test. It runs like the system's clock, and jumps forward when a test calls `advance`. */
export class TestClock implements Clock {
  #aheadMs = 0;

  now(): Date {
    return new Date(Date.now() + this.#aheadMs);
  }

  /** Returns the value of `performance.now` plus all jumps so far. */
  monotonicMs(): number {
    return performance.now() + this.#aheadMs;
  }

  /** Jumps to the beginning of the next minute, so that the events that follow are counted in the same minute. */
  nextMinute(nowMs = this.now().getTime()): Promise<void> {
    return this.advance(60_000 - (nowMs % 60_000));
  }

  /**
   * Jumps forward. If `db` is given, it also moves all times that are compared with the database's clock nearer by as much, and
   * signals workers to look for due work.
   */
  async advance(ms: number, db?: Knex): Promise<void> {
    this.#aheadMs += ms;
    if (db !== undefined) await bringNearer(db, ms);
  }
}

async function bringNearer(db: Knex, ms: number): Promise<void> {
  const nearer = (column: string) => db.raw("?? - ? * interval '1 millisecond'", [column, ms]);
  for (const tables of DATABASE_CLOCK_COLUMNS) {
    await db.transaction(async (trx) => {
      // Workers lock targets before they change messages. If this transaction did not, a deadlock would be possible.
      if ('webhook_targets' in tables) await trx('webhook_targets').orderBy('id').forUpdate().select('id');
      for (const [table, columns] of Object.entries(tables))
        await trx(table).update(Object.fromEntries(columns.map((column) => [column, nearer(column)])));
    });
  }
  for (const topic of WORK_TOPICS) await createPublisher().publish(db, topic, '{}');
}
