import type { OperationCount } from './count-store.ts';

const HOUR_MS = 3_600_000;

/**
 * The kinds of operations that charts show. `received`: deliveries of providers, of which the refused ones failed; `delivery`:
 * attempts to send a webhook to the application.
 */
const COUNTED_KINDS = ['proxy', 'refresh', 'received', 'delivery', 'script'] as const;
type CountedKind = (typeof COUNTED_KINDS)[number];

/** The periods of charts, divided into hours or into days of UTC; the last bucket is the current one. */
export const CHART_PERIODS = {
  '24h': { stepMs: HOUR_MS, steps: 24 },
  '14d': { stepMs: 24 * HOUR_MS, steps: 14 },
} as const;
export type ChartPeriod = keyof typeof CHART_PERIODS;

interface CountBucket {
  readonly at: Date;
  readonly counts: Readonly<Record<CountedKind, Sums>>;
}

/** Returns the times at which the buckets of a period begin, the earliest first. */
export function bucketStarts(period: ChartPeriod, now: Date): readonly Date[] {
  const { stepMs, steps } = CHART_PERIODS[period];
  const last = Math.floor(now.getTime() / stepMs);
  return Array.from({ length: steps }, (_, index) => new Date((last - steps + 1 + index) * stepMs));
}

/** Returns the sums of the counts in each bucket, including buckets in which nothing happened. */
export function bucketsOf(counts: readonly OperationCount[], period: ChartPeriod, now: Date): readonly CountBucket[] {
  const { stepMs } = CHART_PERIODS[period];
  return bucketStarts(period, now).map((at) => {
    const own = counts.filter(({ hour }) => hour >= at && hour.getTime() < at.getTime() + stepMs);
    const sum = (kind: CountedKind) => sumsOf(own.filter((one) => one.kind === kind));
    return {
      at,
      counts: {
        proxy: sum('proxy'),
        refresh: sum('refresh'),
        received: sum('received'),
        delivery: sum('delivery'),
        script: sum('script'),
      },
    };
  });
}

/** Numbers of operations: all of them, and those that failed or will be tried again. */
interface Sums {
  readonly total: number;
  readonly failed: number;
}

export function sumsOf(counts: readonly OperationCount[]): Sums {
  return { total: total(counts), failed: total(counts.filter(({ status }) => status === 'failure' || status === 'retrying')) };
}

function total(counts: readonly OperationCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}
