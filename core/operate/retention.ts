import { type EraseDeps, eraseOverdue } from '../connect/deletion/erase-overdue.ts';
import { forgetFormerClients } from '../connect/deletion/forget-former-clients.ts';
import { eraseDeletedBefore } from '../connections/marked-connection-store.ts';
import { type AgedTable, deleteOlder, idsOf, inBatches } from '../db/in-batches.ts';
import { daysBefore } from '../kit/clock.ts';
import type { Logger } from '../kit/logger.ts';
import { deleteRunsBeyond } from '../scripts/run-store.ts';
import { deleteUnusedLogins } from '../tenants/environments/webhook-login-store.ts';
import { ENDED_BYTES } from '../webhook-delivery/backlog.ts';
import { deleteEndedBefore, expireMessages, trimEnded } from '../webhook-delivery/backlog-store.ts';
import { deleteUnusedPayloads } from '../webhook-delivery/payload-store.ts';

interface RetentionParts extends EraseDeps {
  readonly log: Logger;
  readonly logRetentionDays: number;
}

/** Days for which counts of operations are kept: more than any chart shows. */
const COUNTED_DAYS = 31;

interface RetentionRule extends AgedTable {
  /**
   * Age in days at which a row is removed. `logs`: the retention of logs in the settings. `database`: at the row's expiry, by the
   * database's clock.
   */
  readonly days: number | 'logs' | 'database';
}

const RULES: readonly RetentionRule[] = [
  // A day is longer than a flow may last after its session has expired: deleting a session also deletes its flows.
  { table: 'connect_sessions', column: 'expires_at', days: 1 },
  { table: 'idempotency_keys', column: 'expires_at', days: 'database' },
  { table: 'webhook_duplicates', column: 'seen_at', days: 1 },
  { table: 'member_sessions', column: 'expires_at', days: 1 },
  { table: 'member_links', column: 'expires_at', days: 1 },
  { table: 'sign_in_attempts', column: 'window_ends_at', days: 1 },
  { table: 'company_logos', column: 'fetched_at', days: 30 },
  { table: 'script_runs', column: 'started_at', days: 'logs' },
  // The default partition has the rows for which no other partition was created. The others are dropped whole
  // (`journal/operation-log/partitions.ts`).
  { table: 'operation_log_default', column: 'created_at', days: 'logs' },
  { table: 'operation_counts', column: 'hour', days: COUNTED_DAYS },
];
/** Deliveries, which normally exist for a few moments only. */
const DELIVERIES = { table: 'webhook_deliveries', column: 'received_at' } as const;
/** Age in days at which an unfinished deletion is completed here: a deletion takes seconds, so its process must have ended. */
const DELETION_DAYS = 1 / 24;
/** Number of runs that are kept for each script. */
const KEPT_RUNS = 10_000;
const PAYLOADS_AT_ONCE = 5_000;

interface RetentionStep {
  readonly what: string;
  remove(deps: RetentionParts, now: Date): Promise<void>;
}

const STEPS: readonly RetentionStep[] = [
  {
    what: 'connections whose deletion was interrupted',
    remove: ({ db }, now) => inBatches((limit) => eraseDeletedBefore(db, daysBefore(now, DELETION_DAYS), limit)),
  },
  { what: 'integrations and environments whose erasure failed', remove: eraseOverdue },
  ...RULES.map(({ days, ...table }) => ({
    what: table.table,
    remove: ({ db, logRetentionDays }: RetentionParts, now: Date) => {
      const before = days === 'database' ? undefined : daysBefore(now, days === 'logs' ? logRetentionDays : days);
      return inBatches((limit) => deleteOlder(db, table, { before, limit }));
    },
  })),
  { what: 'script runs beyond the number that is kept for a script', remove: removeRunsBeyond },
  { what: 'deliveries that were never processed', remove: removeLostDeliveries },
  { what: 'former clients', remove: forgetFormerClients },
  {
    what: 'webhooks that are delivered or failed',
    remove: ({ db, logRetentionDays }, now) =>
      inBatches((limit) => deleteEndedBefore(db, daysBefore(now, logRetentionDays), limit)),
  },
  {
    what: 'webhooks that have waited too long',
    remove: ({ db, logRetentionDays: days }) => inBatches((limit) => expireMessages(db, { days, limit })),
  },
  { what: 'ended webhooks beyond the size that is kept for a target', remove: trimTargets },
  { what: 'unused logins of webhook URLs', remove: ({ db }) => inBatches((limit) => deleteUnusedLogins(db, limit)) },
  { what: 'unused webhook payloads', remove: removeUnusedPayloads },
];

/** Removes everything that is too old, or exceeds its limits. A step that fails does not prevent the others. */
export async function applyRetention(deps: RetentionParts): Promise<void> {
  const now = deps.clock.now();
  for (const { what, remove } of STEPS) {
    try {
      await remove(deps, now);
    } catch (error) {
      deps.log.error('rows past their retention could not be removed; this is retried in an hour', { what, error });
    }
  }
}

async function removeRunsBeyond({ db }: RetentionParts): Promise<void> {
  for await (const scriptId of idsOf(db, 'scripts'))
    await inBatches((limit) => deleteRunsBeyond(db, { scriptId, kept: KEPT_RUNS, limit }));
}

async function removeLostDeliveries({ db, log, logRetentionDays }: RetentionParts, now: Date): Promise<void> {
  const before = daysBefore(now, logRetentionDays);
  await inBatches(async (limit) => {
    const count = await deleteOlder(db, DELIVERIES, { before, limit });
    if (count > 0) log.error('deliveries that could not be processed were removed', { count });
    return count;
  });
}

async function trimTargets({ db }: RetentionParts): Promise<void> {
  for await (const targetId of idsOf(db, 'webhook_targets')) await trimEnded(db, targetId, ENDED_BYTES);
}

async function removeUnusedPayloads({ db }: RetentionParts): Promise<void> {
  for (let afterId: number | undefined = 0; afterId !== undefined; )
    afterId = await deleteUnusedPayloads(db, { afterId, limit: PAYLOADS_AT_ONCE });
}
