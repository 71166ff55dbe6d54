import type { Knex } from 'knex';
import { createPublisher } from '../../core/db/notices.ts';
import type { WorkTopic } from '../../core/db/work-signals.ts';
import type { Clock } from '../../core/kit/clock.ts';
import { words } from './words.ts';

type Columns = Readonly<Record<string, readonly string[]>>;

/**
 * Columns that the service compares with the database's own clock. No test can set that clock, so these times move instead. Columns
 * that it compares with the passed-in clock (session and flow expiry) must not be here, or time would pass twice for them.
 *
 * The columns of one entry move in one transaction.
 */
const DATABASE_CLOCK_COLUMNS: readonly Columns[] = [
  {
    connections: words`
      expires_at refresh_after refreshed_at state_since outage_told_at
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

/** A clock for tests, which runs like the system's and jumps on `advance`. */
export class TestClock implements Clock {
  #aheadMs = 0;

  now(): Date {
    return new Date(Date.now() + this.#aheadMs);
  }

  /** Returns the value of `performance.now`, with the same jumps. */
  monotonicMs(): number {
    return performance.now() + this.#aheadMs;
  }

  /** Jumps to the beginning of a minute, so that counters per minute count the following events together. */
  nextMinute(nowMs = this.now().getTime()): Promise<void> {
    return this.advance(60_000 - (nowMs % 60_000));
  }

  /** Jumps forward. All times in `db`, if there is one, come nearer by as much, and workers look for work that is due. */
  async advance(ms: number, db?: Knex): Promise<void> {
    this.#aheadMs += ms;
    if (db !== undefined) await bringNearer(db, ms);
  }
}

async function bringNearer(db: Knex, ms: number): Promise<void> {
  const nearer = (column: string) => db.raw("?? - ? * interval '1 millisecond'", [column, ms]);
  for (const tables of DATABASE_CLOCK_COLUMNS) {
    await db.transaction(async (trx) => {
      // A worker also locks targets before it changes messages. In another order, both might wait for each other.
      if ('webhook_targets' in tables) await trx('webhook_targets').orderBy('id').forUpdate().select('id');
      for (const [table, columns] of Object.entries(tables))
        await trx(table).update(Object.fromEntries(columns.map((column) => [column, nearer(column)])));
    });
  }
  for (const topic of WORK_TOPICS) await createPublisher().publish(db, topic, '{}');
}
