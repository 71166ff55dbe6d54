import { t } from '../app/texts/en.ts';
import { CHART, chartPaths, type Point } from './chart.ts';
import { absoluteTime, localeOf } from './times.ts';

interface SparklineProps {
  /** The name of the counted things. */
  readonly label: string;
  readonly points: readonly Point[];
  readonly tone?: 'accent' | 'bad' | 'idle';
}

/** A chart of a number over time, without axes. A table has the same data for screen readers. */
export function Sparkline({ label, points, tone = 'accent' }: SparklineProps) {
  const { line, area } = chartPaths(points);
  const locale = localeOf(navigator.languages);
  return (
    <figure class={`chart ${tone}`}>
      <svg viewBox={`0 0 ${CHART.width} ${CHART.height}`} preserveAspectRatio="none" aria-hidden="true">
        <path class="area" d={area} />
        <path class="line" d={line} />
      </svg>
      <table class="sr">
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">{t('chart_time')}</th>
            <th scope="col">{t('chart_value')}</th>
          </tr>
        </thead>
        <tbody>
          {points.map(({ at, value }) => (
            <tr key={at}>
              <td>{absoluteTime(new Date(at), locale)}</td>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
