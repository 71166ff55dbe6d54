import { useMemo } from 'preact/hooks';
import { lineDiff } from './line-diff.ts';
import { t } from './texts.ts';

interface DiffLinesProps {
  readonly title: string;
  readonly before: string;
  readonly after: string;
}

/** Shows the differences of two sources, line by line. */
export function DiffLines({ title, before, after }: DiffLinesProps) {
  const lines = useMemo(() => lineDiff(before, after), [before, after]);
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also without a mouse */}
      <pre class="code" tabIndex={0}>
        {lines.map(({ sign, text }, index) => (
          <span key={index}>
            {sign !== ' ' && <span class="sr">{t(sign === '+' ? 'added' : 'removed')}</span>}
            {`${sign} ${text}\n`}
          </span>
        ))}
      </pre>
    </section>
  );
}
