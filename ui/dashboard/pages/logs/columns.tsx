import { Logo } from '../../../kit/logo.tsx';
import { Badge } from '../../components/badge.tsx';
import { figure } from '../../components/figure.ts';
import { actorOf } from '../../components/history/actors.ts';
import type { Column } from '../../components/table-head.tsx';
import { durationText } from '../../components/times.ts';
import { type Fold, isFold } from './fold.ts';
import { aboutOf, type LogEntry, titleOf, toneOf, wordFor } from './log-entry.ts';
import { LogTime, logTimes } from './log-times.tsx';
import { t } from './texts.ts';

type Row = LogEntry | Fold;

/** Returns the columns of the log. @param unfold shows the entries of a fold one by one; absent where nothing is folded */
export function columnsFor(isUtc: boolean, unfold?: (key: string) => void): readonly Column<Row>[] {
  const times = logTimes(isUtc);
  return [
    { head: t('summary'), cell: (entry) => <Summary {...entry} /> },
    { head: t('status'), cell: (entry) => <Badge tone={toneOf(entry)}>{wordFor('status', entry.status)}</Badge>, phone: 'end' },
    { head: t('integration'), cell: (entry) => <Place {...entry} />, phone: 'second' },
    { head: t('duration'), cell: ({ duration_ms: ms }) => (ms === null ? '–' : durationText(ms)), isNumber: true, isWide: true },
    {
      head: t('time'),
      cell: (entry) => (
        <span class="two">
          <LogTime at={entry.created_at} times={times} />
          {isFold(entry) && (
            <span class="small">
              <button type="button" class="btn link" onClick={() => unfold?.(entry.key)}>
                {t('unfold', { times: figure(entry.times) })}
              </button>
            </span>
          )}
        </span>
      ),
      isNumber: true,
      phone: 'end-second',
    },
  ];

  /** The title of an entry, and below it its kind and actor; of a fold, how often it happened and since when. */
  function Summary(entry: Row) {
    return (
      <span class="two">
        <span title={titleOf(entry)}>{titleOf(entry)}</span>
        <span class="small faint">
          {isFold(entry) ? (
            <>
              {aboutOf(entry)} · {t('repeated', { times: figure(entry.times) })} <LogTime at={entry.first} times={times} />
            </>
          ) : (
            [entry.summary && aboutOf(entry), actorOf(entry)].filter(Boolean).join(' · ')
          )}
        </span>
      </span>
    );
  }
}

/** The integration, and the connection, or the number of connections, if there is room. */
function Place(entry: Row) {
  const { provider_config_key: key, connection_id: id, connection_name: name, integration } = entry;
  const isMany = isFold(entry) && entry.connections > 1;
  return (
    <span class="faced">
      {key !== null && <Logo name={integration?.display_name ?? key} url={integration?.logo ?? null} size="s" />}
      <span class="two">
        <span dir="auto">{integration?.display_name ?? key ?? '–'}</span>
        {isMany && <span class="small faint wide">{t.count('connections', entry.connections)}</span>}
        {!isMany && id !== null && (
          <span class="small faint short wide" title={id} dir="auto">
            {name ?? id}
          </span>
        )}
      </span>
    </span>
  );
}
