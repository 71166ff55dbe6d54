import type { Knex } from 'knex';
import { CONNECTION_STATES } from '../../connections/connection-health.ts';

/** Rows of a table that wait: how many, and for how many seconds the oldest has. */
export interface Waiting {
  readonly name: string;
  readonly count: number;
  readonly oldestSeconds: number;
}

/** What the instances have to do, together. */
export interface Workload {
  /** The due rows of each work table. */
  readonly due: readonly Waiting[];
  /** The webhooks to applications that are not delivered, by state. */
  readonly webhooks: readonly Waiting[];
  /** The rows of each table that an instance is working on. */
  readonly leased: readonly Pick<Waiting, 'name' | 'count'>[];
}

/** The work tables by the topic of their signals: since when a row waits, and which rows do. */
const WORK_TABLES = {
  refreshes: { table: 'refreshes', since: 'due_at', waits: 'owner is null' },
  subscriptions: { table: 'due_subscriptions', since: 'due_at', waits: 'true' },
  deletions: { table: 'connection_deletions', since: 'due_at', waits: 'true' },
  erasures: { table: 'erasures', since: 'due_at', waits: 'true' },
  schedules: { table: 'schedules', since: 'due_at', waits: 'true' },
  'script-queue': { table: 'script_queue', since: 'due_at', waits: '(claimed_until > now()) is not true' },
  'webhook-deliveries': { table: 'webhook_deliveries', since: 'received_at', waits: 'true' },
  'webhook-messages': {
    table: 'webhook_messages',
    since: 'next_attempt_at',
    waits: `status = 'pending' and attempt_until is null`,
  },
} as const;

const LEASED = {
  refreshes: 'refreshes where owner is not null',
  'script-queue': 'script_queue where claimed_until > now()',
  'webhook-messages': 'webhook_messages where attempt_until > now()',
} as const;

const DUE = Object.entries(WORK_TABLES)
  .map(
    ([topic, { table, since, waits }]) =>
      `select '${topic}' as name, ${waitingSince(since)} from ${table} where ${waits} and ${since} <= now()`,
  )
  .join(' union all ');
const WEBHOOKS = ['pending', 'paused']
  .map((state) => `select '${state}' as name, ${waitingSince('created_at')} from webhook_messages where status = '${state}'`)
  .join(' union all ');
const LEASES = Object.entries(LEASED)
  .map(([topic, rows]) => `select '${topic}' as name, count(*)::float8 as count from ${rows}`)
  .join(' union all ');

export async function readWorkload(db: Knex): Promise<Workload> {
  const due = await db.raw(DUE);
  const webhooks = await db.raw(WEBHOOKS);
  const leased = await db.raw(LEASES);
  return { due: due.rows, webhooks: webhooks.rows, leased: leased.rows };
}

function waitingSince(column: string): string {
  return `count(*)::float8 as count, coalesce(extract(epoch from now() - min(${column}))::float8, 0) as "oldestSeconds"`;
}

/** Counts the connections of all environments by state. */
export async function countConnections(db: Knex): Promise<readonly Pick<Waiting, 'name' | 'count'>[]> {
  const states: { name: string; count: number }[] = await db('connections')
    .whereNull('deleted_at')
    .groupBy('state')
    .select('state as name', db.raw('count(*)::float8 as count'));
  return CONNECTION_STATES.map((name) => ({ name, count: states.find((one) => one.name === name)?.count ?? 0 }));
}
