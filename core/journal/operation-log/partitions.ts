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
 * How far ahead of the current time partitions are created. The schedule runs every minute; the default partition takes the rows of
 * a time that it misses.
 */
const AHEAD_MS = 20 * MINUTE_MS;
/** The widths of partitions: a week, a day, 6 hours, an hour, 10 minutes. Each is a multiple of the next. */
const WIDTHS_MS = [10_080, 1_440, 360, 60, 10].map((minutes) => minutes * MINUTE_MS);
/** The longest time between two runs: the schedule runs every minute, and may be late once. */
const UNSEEN_MS = 2 * MINUTE_MS;
const NARROWEST_MS = Math.min(...WIDTHS_MS);
/** The largest part of the log that dropping one partition may remove: of its time, and of its size. */
const PART_OF_TIME = 1 / 24;
const PART_OF_SIZE = 1 / 8;

interface LogLimits {
  readonly logRetentionDays: number;
  readonly logMaxBytes: number;
}

interface PartitionDeps extends LogLimits {
  readonly db: Knex;
  readonly clock: Clock;
  /** Tells whether the clock is wrong: nothing is dropped then, since that cannot be undone. */
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
      // Rows that are being written now go to the default partition.
      if (end <= now) await lockOut(trx);
      await addPartition(trx, { from: new Date(end), to: new Date(to) });
      end = to;
    }
  });
}

/**
 * Ends the current partition soon if it is too large already, as when the write rate rises suddenly: it cannot be dropped before it
 * ends.
 *
 * @returns when it ends
 */
async function shortened(trx: Knex.Transaction, last: Partition, { clock, logMaxBytes }: PartitionDeps): Promise<Date> {
  // Later than the rows that are being written, also by instances whose clocks are fast.
  const soon = new Date(floor(clock.now().getTime(), NARROWEST_MS) + 2 * NARROWEST_MS);
  const isPresent = last.from <= clock.now();
  if (!isPresent || last.to <= soon || last.bytes <= logMaxBytes * PART_OF_SIZE) return last.to;
  await shortenPartition(trx, last, soon);
  return soon;
}

/**
 * Returns how much time a new partition covers, in milliseconds: the more is written, the less.
 *
 * @param rate bytes per millisecond
 */
export function widthFor({ logRetentionDays, logMaxBytes }: LogLimits, rate: number): number {
  const widestMs = logRetentionDays * 24 * 60 * MINUTE_MS * PART_OF_TIME;
  const fits = (widthMs: number) => widthMs <= widestMs && widthMs * rate <= logMaxBytes * PART_OF_SIZE;
  return WIDTHS_MS.find(fits) ?? NARROWEST_MS;
}

/** Returns the write rate of the busier of the current partition and the one before, in bytes per millisecond. */
function bytesPerMs(partitions: readonly Partition[], now: number): number {
  const begun = partitions.filter(({ from }) => from.getTime() < now).slice(-2);
  const rates = begun.map(({ from, to, bytes }) => bytes / Math.max(MINUTE_MS, Math.min(now, to.getTime()) - from.getTime()));
  return Math.max(0, ...rates);
}

/** Returns the oldest partitions that make the log too large, now or before the next check; never one that is still written to. */
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
