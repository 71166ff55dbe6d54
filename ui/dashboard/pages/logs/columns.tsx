import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { durationText } from '../../components/times.ts';
import { aboutOf, actorOf, type LogEntry, titleOf, toneOf, wordFor } from './log-entry.ts';
import { LogTime, logTimes } from './log-times.tsx';
import { t } from './texts.ts';

export function columnsFor(isUtc: boolean): readonly Column<LogEntry>[] {
  const times = logTimes(isUtc);
  return [
    { head: t('summary'), cell: (entry) => <Summary {...entry} /> },
    { head: t('status'), cell: (entry) => <Badge tone={toneOf(entry)}>{wordFor('status', entry.status)}</Badge>, phone: 'end' },
    { head: t('integration'), cell: (entry) => <Place {...entry} />, phone: 'second' },
    { head: t('duration'), cell: ({ duration_ms: ms }) => (ms === null ? '–' : durationText(ms)), isNumber: true, isWide: true },
    {
      head: t('time'),
      cell: ({ created_at: at }) => <LogTime at={at} times={times} />,
      isNumber: true,
      phone: 'end-second',
    },
  ];
}

/** The title of an entry, and below it its kind and actor. */
function Summary(entry: LogEntry) {
  return (
    <span class="two">
      <span title={titleOf(entry)}>{titleOf(entry)}</span>
      <span class="small faint">{[entry.summary && aboutOf(entry), actorOf(entry)].filter(Boolean).join(' · ')}</span>
    </span>
  );
}

/** The integration, and the connection if there is room. */
function Place({ provider_config_key: key, connection_id: id, connection_name: name }: LogEntry) {
  return (
    <span class="two">
      <span>{key ?? '–'}</span>
      {id !== null && (
        <span class="small faint short wide" title={id} dir="auto">
          {name ?? id}
        </span>
      )}
    </span>
  );
}
