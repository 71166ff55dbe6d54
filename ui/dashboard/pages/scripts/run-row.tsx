import { Badge } from '../../components/badge.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { durationText } from '../../core/times.ts';
import type { Reply } from '../../wire.ts';
import { causeWords } from './cause-words.ts';
import { logLine } from './log-line.ts';
import { t } from './texts.ts';

export type Run = Reply<'listScriptRuns'>['data'][number];

/** Characters. */
const MAX_THROWN = 300;

interface RunRowProps {
  readonly run: Run;
  /** Of all runs, with a query. */
  readonly logs: string;
}

/** What became of a run, why, and what it logged. */
export function RunRow({ run, logs }: RunRowProps) {
  const { connection_id: id, status, started_at: at, duration_ms: duration, log, version } = run;
  const reason = reasonOf(run);
  return (
    <li>
      <span class="grow clip">
        {id === null ? t('new_connection') : <a href={`${logs}&connection_id=${encodeURIComponent(id)}`}>{id}</a>}
      </span>
      <Badge tone={status === 'done' ? 'ok' : 'bad'}>{t(`run_${status}`)}</Badge>
      <span class="small soft num">
        <RelativeTime at={at} /> · {durationText(duration)} · {t('version_number', { version })}
      </span>
      {reason && <p class="small wrap">{reason}</p>}
      {log.length > 0 && (
        <details>
          <summary class="small soft">{t.count('log', log.length)}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also without a mouse */}
          <pre class="code" tabIndex={0}>
            {log.map(logLine).join('\n')}
          </pre>
        </details>
      )}
    </li>
  );
}

/** The cause in words, then what the script threw, which the log has in full. */
function reasonOf({ cause, status, log }: Run): string | undefined {
  if (status === 'done') return undefined;
  const thrown = log.findLast(({ level }) => level === 'error')?.message.slice(0, MAX_THROWN) ?? '';
  return `${causeWords(cause)} ${thrown}`.trim();
}
