import { figure } from './figure.ts';
import { dateFormat, localeOf } from './times.ts';

export interface StackedBar {
  /** The beginning of its period, in ISO 8601. */
  readonly at: string;
  readonly succeeded: number;
  readonly failed: number;
  /** What lies behind the bar. */
  readonly href: string;
}

interface StackedBarsProps {
  /** The name of what is counted. */
  readonly label: string;
  readonly words: { readonly succeeded: string; readonly failed: string };
  readonly bars: readonly StackedBar[];
}

/** The width of a bar and its gap, and the height of the picture, in units of its own: it is stretched to its place. */
const STEP = 10;
const WIDTH = 7;
const HEIGHT = 100;
/** The least height of a part that is not zero, so that it can be seen. */
const MIN = 2;
/** Every how many bars the time is named. */
const NAMED_EVERY = 6;

/**
 * Numbers over time, each in two parts: what succeeded, and above it what failed. Screen readers get them as a list. The bars are
 * links for the mouse only, since the page has fields for the same filters.
 */
export function StackedBars({ label, words, bars }: StackedBarsProps) {
  const locale = localeOf(navigator.languages);
  const highest = Math.max(1, ...bars.map(({ succeeded, failed }) => succeeded + failed));
  const time = dateFormat(locale, { hour: '2-digit', minute: '2-digit' });
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(MIN, (count / highest) * HEIGHT));
  const textOf = ({ at, succeeded, failed }: StackedBar) =>
    `${time.format(new Date(at))}: ${figure(succeeded)} ${words.succeeded}, ${figure(failed)} ${words.failed}`;
  return (
    <figure class="stacked" aria-label={label}>
      <span class="tiny faint num" aria-hidden="true">
        {figure(highest)}
      </span>
      <div class="plot">
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
        {bars.map((bar) => (
          // biome-ignore lint/a11y/useAnchorContent: a link for the mouse only, which screen readers do not announce
          <a key={bar.at} href={bar.href} title={textOf(bar)} tabIndex={-1} aria-hidden="true" />
        ))}
      </div>
      <div class="axis tiny faint num" aria-hidden="true">
        {bars
          .filter((_, index) => index % NAMED_EVERY === 0)
          .map(({ at }) => (
            <span key={at}>{time.format(new Date(at))}</span>
          ))}
      </div>
      <ul class="sr">
        {bars.map((bar) => (
          <li key={bar.at}>{textOf(bar)}</li>
        ))}
      </ul>
    </figure>
  );
}
