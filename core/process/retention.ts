import type { Knex } from 'knex';
import { eraseDeletedBefore } from '../connections/marked-connection-store.ts';
import { type AgedTable, deleteOlder, inBatches } from '../db/in-batches.ts';
import { withTransaction } from '../db/transaction.ts';
import { daysBefore } from '../kit/clock.ts';
import { eraseOverdue } from '../lifecycle/erase-overdue.ts';
import { forgetFormerClients } from '../lifecycle/forget-former-clients.ts';
import { deleteRunsBeyond } from '../scripts/run-store.ts';
import { deleteEndedBefore, expireMessages, targetsBeyond, trimEnded } from '../webhook-delivery/limit-store.ts';
import { ENDED_BYTES } from '../webhook-delivery/limits.ts';
import { deleteUnusedPayloads } from '../webhook-delivery/payload-store.ts';
import type { MaintenanceDeps } from './deps.ts';

type RetentionParts = Pick<MaintenanceDeps, 'db' | 'clock' | 'keys' | 'signals' | 'catalogue' | 'log' | 'logRetentionDays'>;

/** Longer than any chart of them. */
const COUNTED_DAYS = 31;

interface RetentionRule extends AgedTable {
  /** How old a row becomes. `logs`: as the settings say. `database`: it has its own expiry by the database's clock. */
  readonly days: number | 'logs' | 'database';
}

const RULES: readonly RetentionRule[] = [
  // Longer than a flow may take after its session has expired; flows go with their session.
  { table: 'connect_sessions', column: 'expires_at', days: 1 },
  { table: 'idempotency_keys', column: 'expires_at', days: 'database' },
  { table: 'webhook_duplicates', column: 'seen_at', days: 1 },
  { table: 'member_sessions', column: 'expires_at', days: 1 },
  { table: 'member_links', column: 'expires_at', days: 1 },
  { table: 'sign_in_attempts', column: 'window_ends_at', days: 1 },
  { table: 'company_logos', column: 'fetched_at', days: 30 },
  { table: 'script_runs', column: 'started_at', days: 'logs' },
  // Of the previous release.
  { table: 'operations', column: 'created_at', days: 'logs' },
  // What no partition was made for. The others are dropped whole (`activity/partitions.ts`).
  { table: 'operation_log_default', column: 'created_at', days: 'logs' },
  { table: 'operation_counts', column: 'hour', days: COUNTED_DAYS },
];
/** Normally they live for moments. */
const DELIVERIES = { table: 'webhook_deliveries', column: 'received_at' } as const;
/** A deletion takes seconds: one that is older has lost its process. */
const DELETION_DAYS = 1 / 24;
/** Of one script. */
const KEPT_RUNS = 10_000;
const PAYLOADS_AT_ONCE = 5_000;

/** Removes what is older than it may become, and what exceeds its bounds. */
export async function applyRetention(deps: RetentionParts): Promise<void> {
  const { db, clock, logRetentionDays } = deps;
  const now = clock.now();
  await inBatches((limit) => eraseDeletedBefore(db, daysBefore(now, DELETION_DAYS), limit));
  await eraseOverdue(deps);
  for (const { days, ...table } of RULES) {
    const before = days === 'database' ? undefined : daysBefore(now, days === 'logs' ? logRetentionDays : days);
    await inBatches((limit) => deleteOlder(db, table, { before, limit }));
  }
  await inBatches((limit) => deleteRunsBeyond(db, KEPT_RUNS, limit));
  await removeLostDeliveries(deps);
  await forgetFormerClients(deps);
  await inBatches((limit) => expireMessages(db, { days: logRetentionDays, limit }));
  await removeEndedMessages(db, daysBefore(now, logRetentionDays));
}

async function removeLostDeliveries({ db, clock, log, logRetentionDays }: RetentionParts): Promise<void> {
  const before = daysBefore(clock.now(), logRetentionDays);
  await inBatches(async (limit) => {
    const count = await deleteOlder(db, DELIVERIES, { before, limit });
    if (count > 0) log.error('webhooks that could not be matched were removed', { count });
    return count;
  });
}

async function removeEndedMessages(db: Knex, before: Date): Promise<void> {
  await inBatches((limit) => deleteEndedBefore(db, before, limit));
  for (const targetId of await targetsBeyond(db, ENDED_BYTES))
    await withTransaction(db, (trx) => trimEnded(trx, targetId, ENDED_BYTES));
  for (let afterId: number | undefined = 0; afterId !== undefined; )
    afterId = await deleteUnusedPayloads(db, { afterId, limit: PAYLOADS_AT_ONCE });
}
