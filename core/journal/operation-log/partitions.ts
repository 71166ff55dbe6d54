import type { Knex } from 'knex';
import { type Clock, daysBefore } from '../../kit/clock.ts';
import type { Logger } from '../../kit/logger.ts';
import {
  addPartition,
  alone,
  dropPartition,
  listPartitions,
  lockOut,
  type Partition,
  shortenPartition,
} from './partition-store.ts';

const MINUTE_MS = 60_000;
/**
 * How far ahead of the current time partitions are created. The schedule does this every minute; if it fails for longer than
 * this, the default partition takes the rows.
 */
const AHEAD_MS = 20 * MINUTE_MS;
/** The widths of partitions: a week, a day, 6 hours, an hour, 10 minutes. Each is a multiple of the next. */
const WIDTHS_MS = [10_080, 1_440, 360, 60, 10].map((minutes) => minutes * MINUTE_MS);
/** The longest time between two runs of the schedule: it runs every minute, and may miss one run. */
const UNSEEN_MS = 2 * MINUTE_MS;
const NARROWEST_MS = Math.min(...WIDTHS_MS);
/**
 * The largest part of the log that dropping one partition may remove: `PART_OF_TIME` of the retention time, `PART_OF_SIZE` of the
 * maximum size.
 */
const PART_OF_TIME = 1 / 24;
const PART_OF_SIZE = 1 / 8;

interface LogLimits {
  readonly logRetentionDays: number;
  readonly logMaxBytes: number;
}

interface PartitionDeps extends LogLimits {
  readonly db: Knex;
  readonly clock: Clock;
  /** Tells whether the clock is wrong. If so, no partition is dropped, since that cannot be undone. */
  readonly clockCheck: { readonly isOff: boolean };
  readonly log: Logger;
}

/**
 * Creates the partitions of the near future, and drops those that are too old or exceed the maximum size. Safe to run on several
 * instances.
 */
export async function maintainPartitions(deps: PartitionDeps): Promise<void> {
  await extend(deps);
  if (deps.clockCheck.isOff) return;
  const before = daysBefore(deps.clock.now(), deps.logRetentionDays);
  const partitions = await listPartitions(deps.db);
  const aged = partitions.filter(({ to }) => to <= before);
  const excess = excessOf(partitions.slice(aged.length), deps);
  for (const partition of [...aged, ...excess]) await alone(deps.db, (trx) => dropPartition(trx, partition));
  if (excess.length > 0)
    deps.log.info('the operation log reached SVC_LOG_MAX_MB, so its oldest part was removed', { since: excess.at(-1)?.to });
}

async function extend(deps: PartitionDeps): Promise<void> {
  const now = deps.clock.now().getTime();
  await alone(deps.db, async (trx) => {
    const partitions = await listPartitions(trx);
    const widthMs = widthFor(deps, bytesPerMs(partitions, now));
    const last = partitions.at(-1);
    let end = Math.max((last && (await shortened(trx, last, deps)))?.getTime() ?? 0, floor(now, widthMs));
    while (end < now + AHEAD_MS) {
      const to = floor(end, widthMs) + widthMs;
      // The period of the partition has begun, so rows are being written for it, to the default partition.
      if (end <= now) await lockOut(trx);
      await addPartition(trx, { from: new Date(end), to: new Date(to) });
      end = to;
    }
  });
}

/**
 * Makes the current partition end soon if it is already too large, as after a sudden rise of the write rate: it cannot be dropped
 * before it has ended.
 *
 * @returns when it ends
 */
async function shortened(trx: Knex.Transaction, last: Partition, { clock, logMaxBytes }: PartitionDeps): Promise<Date> {
  // Later than any row that is being written, even by an instance whose clock is fast.
  const soon = new Date(floor(clock.now().getTime(), NARROWEST_MS) + 2 * NARROWEST_MS);
  const isPresent = last.from <= clock.now();
  if (!isPresent || last.to <= soon || last.bytes <= logMaxBytes * PART_OF_SIZE) return last.to;
  await shortenPartition(trx, last, soon);
  return soon;
}

/**
 * Returns how many milliseconds a new partition covers: the higher the write rate, the fewer.
 *
 * @param rate bytes per millisecond
 */
export function widthFor({ logRetentionDays, logMaxBytes }: LogLimits, rate: number): number {
  const widestMs = logRetentionDays * 24 * 60 * MINUTE_MS * PART_OF_TIME;
  const fits = (widthMs: number) => widthMs <= widestMs && widthMs * rate <= logMaxBytes * PART_OF_SIZE;
  return WIDTHS_MS.find(fits) ?? NARROWEST_MS;
}

/** Returns the write rate in bytes per millisecond: the higher one of the current and the previous partition. */
function bytesPerMs(partitions: readonly Partition[], now: number): number {
  const begun = partitions.filter(({ from }) => from.getTime() < now).slice(-2);
  const rates = begun.map(({ from, to, bytes }) => bytes / Math.max(MINUTE_MS, Math.min(now, to.getTime()) - from.getTime()));
  return Math.max(0, ...rates);
}

/**
 * Returns the oldest partitions that must be dropped so that the log does not become too large before the next check. A partition
 * that is still written to is never among them.
 */
function excessOf(partitions: readonly Partition[], { logMaxBytes, clock }: PartitionDeps): readonly Partition[] {
  const stored = partitions.reduce((sum, partition) => sum + partition.bytes, 0);
  let bytes = stored + bytesPerMs(partitions, clock.now().getTime()) * UNSEEN_MS;
  const excess: Partition[] = [];
  for (const partition of partitions) {
    if (bytes <= logMaxBytes || partition.to > clock.now()) break;
    excess.push(partition);
    bytes -= partition.bytes;
  }
  return excess;
}

function floor(time: number, widthMs: number): number {
  return Math.floor(time / widthMs) * widthMs;
}
