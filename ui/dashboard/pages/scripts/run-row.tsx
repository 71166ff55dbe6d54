import { useEnvironment } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { durationText } from '../../components/times.ts';
import { causeWords } from './cause-words.ts';
import { logLine } from './log-line.ts';
import { OutcomeBadge } from './outcome-badge.tsx';
import { t } from './texts.ts';

export type Run = Reply<'listScriptRuns'>['data'][number];

/** Maximum length of the shown error, in characters. */
const MAX_THROWN = 300;

interface RunRowProps {
  readonly run: Run;
  /** Limits the list to the runs for the run's connection; undefined when it is limited already. */
  readonly onChoose: ((connectionId: string) => void) | undefined;
}

/** A row with the outcome of a run, its reason, and what the run logged. */
export function RunRow({ run, onChoose }: RunRowProps) {
  const { name } = useEnvironment();
  const { id, status, started_at: at, duration_ms: duration, log, version } = run;
  const reason = reasonOf(run);
  return (
    <li>
      <span class="grow who">
        <Whose {...run} onChoose={onChoose} />
      </span>
      <OutcomeBadge status={status} cause={run.cause} />
      <span class="small soft num">
        <RelativeTime at={at} /> · {durationText(duration)} · {t('version_number', { version })}
      </span>
      <a class="small" href={pathOf(['e', name, 'logs', id])}>
        {t('log_entry')}
      </a>
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

function Whose({ connection_id: id, connection_name: name, onChoose }: Run & Pick<RunRowProps, 'onChoose'>) {
  if (id === null) return <>{t('new_connection')}</>;
  const shown = (
    <span class="clip" title={id} dir="auto">
      {name ?? id}
    </span>
  );
  if (onChoose === undefined) return shown;
  return (
    <button type="button" class="btn link clip" aria-label={t('runs_of', { name: name ?? id })} onClick={() => onChoose(id)}>
      {shown}
    </button>
  );
}

/** Returns the cause in words, then the error that the script threw, which the log has in full; undefined for a completed run. */
function reasonOf({ cause, status, log }: Run): string | undefined {
  if (status === 'done') return undefined;
  const thrown = log.findLast(({ level }) => level === 'error')?.message.slice(0, MAX_THROWN) ?? '';
  return `${causeWords(cause)} ${thrown}`.trim();
}
