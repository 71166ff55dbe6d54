import type { Reply } from '../../app/replies.ts';
import type { Point } from '../../components/chart.ts';

export type Activity = Reply<'getActivity'>['data'];
export type Attention = Activity['attention'][number];

type Kind = 'proxy' | 'refresh' | 'delivery' | 'script';

/** Returns the points of a chart, one for each bucket (a period of the activity). */
export function pointsOf({ buckets }: Activity, kind: Kind, part: 'total' | 'failed'): readonly Point[] {
  return buckets.map((bucket) => ({ at: bucket.at, value: bucket[kind][part] }));
}

export function sumOf(points: readonly Point[]): number {
  return points.reduce((sum, { value }) => sum + value, 0);
}
