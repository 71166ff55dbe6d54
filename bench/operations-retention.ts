import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { Activity } from '../core/journal/operation-log/activity.ts';
import { listPartitions } from '../core/journal/operation-log/partition-store.ts';
import { maintainPartitions } from '../core/journal/operation-log/partitions.ts';
import { createLogger } from '../core/kit/logger.ts';
import { startEmbedded } from './embedded.ts';

const DEFAULT_SECONDS = 180;
const PER_SECOND = 500;
const MB = 1024 * 1024;
/** The limit on the size of the log, set to the minimum of SVC_LOG_MAX_MB. */
const CAP_MB = 64;
/**
 * How many times faster than real time the log's clock runs, because only partitions whose period has ended are dropped, and the
 * shortest period is 10 minutes.
 */
const SPEED = 20;
/** One minute by the log's clock, which is how often the service checks the limit. */
const MAINTAIN_EVERY_MS = 60_000 / SPEED;
const PRINT_EVERY_MS = 15_000;

/** Measures the size of the operation log under a high write rate, and whether it stays below its limit. */
export async function run({ seconds = DEFAULT_SECONDS }: { readonly seconds?: number | undefined } = {}): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const { db, environmentId } = await startEmbedded(stack);
  const began = Date.now();
  const clock = { now: () => new Date(began + (Date.now() - began) * SPEED) };
  const log = createLogger({ level: 'warn' });
  const activity = stack.use(new Activity({ db, clock, log }));
  const maintain = () =>
    maintainPartitions({ db, clock, clockCheck: { isOff: false }, log, logRetentionDays: 15, logMaxBytes: CAP_MB * MB });
  await maintain();

  console.log(
    `  ${PER_SECOND} operations/s for ${seconds} s, limit ${CAP_MB} MB; the log's time is ${SPEED} times as fast as ours`,
  );
  let [written, largest, maintained, printed] = [0, 0, 0, 0];
  for (let passed = 0; passed < seconds * 1_000; passed = Date.now() - began) {
    for (; written < (passed / 1_000) * PER_SECOND; written += 1) write(activity, environmentId, written);
    if (passed - maintained >= MAINTAIN_EVERY_MS) {
      largest = Math.max(largest, (await sizeOf(db)).megabytes);
      await maintain();
      maintained = passed;
    }
    if (passed - printed >= PRINT_EVERY_MS) {
      console.log(`  ${String(Math.round(passed / 1_000)).padStart(5)} s  ${shown(await sizeOf(db))}`);
      printed = passed;
    }
    await pause(20);
  }
  await activity.flush();
  console.log(`  largest: ${largest.toFixed(1)} MB of ${CAP_MB} MB; ${written} written, ${activity.dropped} of them dropped`);
}

interface Size {
  readonly megabytes: number;
  readonly parts: number;
  readonly rows: number;
}

/** Returns the size of the log, including indexes and the rows in the default partition, which wait for a partition. */
async function sizeOf(db: Knex): Promise<Size> {
  const partitions = await listPartitions(db);
  const { rows }: { rows: [{ rows: number; bytes: number }] } = await db.raw(
    `select (select count(*)::int from operation_log) as rows, pg_total_relation_size('operation_log_default') as bytes`,
  );
  const bytes = partitions.reduce((sum, partition) => sum + partition.bytes, rows[0].bytes);
  return { megabytes: bytes / MB, parts: partitions.length, rows: rows[0].rows };
}

function shown({ megabytes, parts, rows }: Size): string {
  return `${megabytes.toFixed(1).padStart(6)} MB in ${parts} partitions, ${rows} operations`;
}

function write(activity: Activity, environmentId: number, n: number): void {
  const about = { connectionId: `connection-${n % 10_000}`, providerConfigKey: `integration-${n % 300}` };
  const operation = activity.begin({ type: 'proxy', operation: 'GET', environmentId, ...about });
  operation.note('info', 'the provider responded', { method: 'GET', path: `/v1/invoices/${n}`, durationMs: 40, status: 200 });
  operation.describe({ summary: `GET /v1/invoices/${n} → 200`, httpStatus: 200 });
  operation.end('success');
}
