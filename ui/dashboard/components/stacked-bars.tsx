import { figure } from './figure.ts';
import { absoluteTime, dateFormat, localeOf } from './times.ts';

export interface StackedBar {
  /** The beginning of its period, in ISO 8601. */
  readonly at: string;
  readonly succeeded: number;
  readonly failed: number;
  /** What lies behind the bar. */
  readonly href?: string;
}

interface StackedBarsProps {
  /** The name of what is counted. */
  readonly label: string;
  readonly words: { readonly time: string; readonly succeeded: string; readonly failed: string };
  readonly bars: readonly StackedBar[];
  /** True for a picture without axes. */
  readonly isSmall?: boolean;
}

/** The width of a bar and its gap, and the height of the picture, in units of its own: it is stretched to its place. */
const STEP = 10;
const WIDTH = 7;
const HEIGHT = 100;
/** The least height of a part that is not zero, so that it can be seen. */
const MIN = 2;
/** About how many times are named below the bars. */
const NAMED = 4;
const DAY_MS = 24 * 3_600_000;

/**
 * Numbers over time, each in two parts: what succeeded, and above it what failed. A table has the same data for screen readers. The
 * bars are links for the mouse only, since the pages behind them have fields for the same filters.
 */
export function StackedBars({ label, words, bars, isSmall = false }: StackedBarsProps) {
  const locale = localeOf(navigator.languages);
  const highest = Math.max(1, ...bars.map(({ succeeded, failed }) => succeeded + failed));
  const format = formatFor(bars, locale);
  const textOf = ({ at, succeeded, failed }: StackedBar) =>
    `${format(at)}: ${figure(succeeded)} ${words.succeeded}, ${figure(failed)} ${words.failed}`;
  const every = Math.ceil(bars.length / NAMED);
  return (
    <figure class={isSmall ? 'stacked small' : 'stacked'}>
      {!isSmall && (
        <span class="tiny faint num" aria-hidden="true">
          {figure(highest)}
        </span>
      )}
      <div class="plot">
        <Picture bars={bars} highest={highest} />
        {bars.map(
          (bar) =>
            bar.href && (
              // biome-ignore lint/a11y/useAnchorContent: a link for the mouse only, which screen readers do not announce
              <a key={bar.at} href={bar.href} title={textOf(bar)} tabIndex={-1} aria-hidden="true" />
            ),
        )}
      </div>
      {!isSmall && (
        <div class="axis tiny faint num" aria-hidden="true">
          {bars.map(({ at }, index) => {
            const style = { insetInlineStart: `${(index / bars.length) * 100}%` };
            return index % every === 0 && <span key={at} style={style} children={format(at)} />;
          })}
        </div>
      )}
      {/* A table cannot be made smaller than its content, so that it would lengthen the page. */}
      <div class="sr">
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">{words.time}</th>
              <th scope="col">{words.succeeded}</th>
              <th scope="col">{words.failed}</th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ at, succeeded, failed }) => (
              <tr key={at}>
                <td>{absoluteTime(new Date(at), locale)}</td>
                <td>{succeeded}</td>
                <td>{failed}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

function Picture({ bars, highest }: { readonly bars: readonly StackedBar[]; readonly highest: number }) {
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(MIN, (count / highest) * HEIGHT));
  return (
    <svg viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {bars.map((bar, index) => {
        const [good, bad] = [heightOf(bar.succeeded), heightOf(bar.failed)];
        return (
          <g key={bar.at}>
            <rect class="ok" x={index * STEP} y={HEIGHT - good} width={WIDTH} height={good} />
            <rect class="bad" x={index * STEP} y={Math.max(0, HEIGHT - good - bad)} width={WIDTH} height={bad} />
          </g>
        );
      })}
    </svg>
  );
}

/** Returns what names the beginning of a bar: its day (of UTC, as the bars are) if the bars are days, otherwise its time. */
function formatFor([first, second]: readonly StackedBar[], locale: string): (at: string) => string {
  const areDays = first && second && new Date(second.at).getTime() - new Date(first.at).getTime() >= DAY_MS;
  const { format } = areDays
    ? dateFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' })
    : dateFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return (at) => format(new Date(at));
}
