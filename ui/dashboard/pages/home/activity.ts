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
