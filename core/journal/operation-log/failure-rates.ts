import { sumsOf } from './count-buckets.ts';
import type { OperationCount } from './count-store.ts';

const HOUR_MS = 3_600_000;
/** The hours before the present one that count as recent, and those before them with which they are compared. */
const RECENT_HOURS = 1;
const BEFORE_HOURS = 24;
/** Fewer failures than this are no trend. */
const MIN_FAILED = 5;
/** A share of failures that is worth attention however long it has lasted. */
const ALWAYS = 0.5;
/** A smaller share is worth attention if it is this large, and this many times that of the day before. */
const RISEN = { share: 0.02, times: 3 };

interface FailureRate {
  readonly kind: string;
  readonly failed: number;
  readonly total: number;
  /** The share that failed in the day before, from 0 to 1; null when nothing happened then. */
  readonly shareBefore: number | null;
}

/** Returns the time since which operations count as recent: the beginning of the hour before the present one. */
export function recentSince(now: Date): Date {
  return new Date((Math.floor(now.getTime() / HOUR_MS) - RECENT_HOURS) * HOUR_MS);
}

/** Returns the time since which counts are needed for the comparison. */
export function comparedSince(now: Date): Date {
  return new Date(recentSince(now).getTime() - BEFORE_HOURS * HOUR_MS);
}

/**
 * Returns the kinds of operations that fail more often than they should: half of the recent ones, or several times as many as in the
 * day before.
 */
export function failureRates(counts: readonly OperationCount[], now: Date): readonly FailureRate[] {
  const since = recentSince(now);
  const [recent, before] = [counts.filter(({ hour }) => hour >= since), counts.filter(({ hour }) => hour < since)];
  return [...new Set(recent.map(({ kind }) => kind))].flatMap((kind) => {
    const sumsIn = (counts: readonly OperationCount[]) => sumsOf(counts.filter((one) => one.kind === kind));
    const [current, earlier] = [sumsIn(recent), sumsIn(before)];
    const rate = { kind, ...current, shareBefore: earlier.total === 0 ? null : earlier.failed / earlier.total };
    return isWorthAttention(rate) ? [rate] : [];
  });
}

function isWorthAttention({ failed, total, shareBefore }: FailureRate): boolean {
  const share = failed / total;
  return failed >= MIN_FAILED && (share >= ALWAYS || (share >= RISEN.share && share >= RISEN.times * (shareBefore ?? 0)));
}
