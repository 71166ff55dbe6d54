export interface Point {
  /** The time in ISO 8601. */
  readonly at: string;
  readonly value: number;
}

export const CHART = { width: 200, height: 40 } as const;
/** Space above and below the line, so that it is not cut off at the top and zero is not drawn on the edge. */
const MARGIN = 2;

/** Returns the SVG path of a line through the points, and of the area under it, in a picture of `CHART`'s size. */
export function chartPaths(points: readonly Point[]): { readonly line: string; readonly area: string } {
  const [first, ...rest] = points.length === 1 ? [...points, ...points] : points;
  if (first === undefined) return { line: '', area: '' };
  const highest = Math.max(1, ...points.map(({ value }) => value));
  const step = CHART.width / rest.length;
  const yOf = ({ value }: Point) => (CHART.height - MARGIN - (value / highest) * (CHART.height - 2 * MARGIN)).toFixed(1);
  const line = [`M0 ${yOf(first)}`, ...rest.map((point, index) => `L${((index + 1) * step).toFixed(1)} ${yOf(point)}`)].join(' ');
  return { line, area: `${line} L${CHART.width} ${CHART.height} L0 ${CHART.height}Z` };
}
