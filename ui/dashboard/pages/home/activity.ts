import type { Reply } from '../../app/replies.ts';

export type Activity = Reply<'getActivity'>['data'];
export type Attention = Activity['attention'][number];
export type Kind = 'proxy' | 'refresh' | 'received' | 'delivery' | 'script';

/** Returns the bars of a chart, one for each period of the activity. */
export function barsOf({ buckets }: Activity, kind: Kind) {
  return buckets.map(({ at, [kind]: { total, failed } }) => ({ at, succeeded: total - failed, failed }));
}

/** Returns how many operations of a kind there were in the whole time. */
export function sumOf({ buckets }: Activity, kind: Kind): { readonly total: number; readonly failed: number } {
  const sum = (part: 'total' | 'failed') => buckets.reduce((all, bucket) => all + bucket[kind][part], 0);
  return { total: sum('total'), failed: sum('failed') };
}

/** Returns a share in percent. What is not nothing is not shown as 0 %, and what is not all not as 100 %. */
export function percentOf(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (part / whole) * 100;
  if (part > 0 && percent < 0.1) return '< 0.1';
  if (part < whole && percent > 99.9) return '> 99.9';
  return percent < 10 || (part < whole && percent > 99) ? String(Math.round(percent * 10) / 10) : String(Math.round(percent));
}
