import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { absoluteTime, durationText, localeOf } from '../../core/times.ts';
import { aboutOf, actorOf, clockTime, type LogEntry, titleOf, toneOf, wordFor } from './log-entry.ts';
import { t } from './texts.ts';

export function columnsFor(isUtc: boolean): readonly Column<LogEntry>[] {
  const locale = localeOf(navigator.languages);
  const view = { isUtc, locale, now: new Date() };
  return [
    { head: t('summary'), cell: (entry) => <Summary {...entry} /> },
    { head: t('status'), cell: (entry) => <Badge tone={toneOf(entry)}>{wordFor('status', entry.status)}</Badge>, phone: 'end' },
    { head: t('integration'), cell: ({ provider_config_key: key }) => key ?? '–', phone: 'second' },
    { head: t('connection'), cell: ({ connection_id: id }) => <Short text={id} />, isWide: true },
    { head: t('actor'), cell: (entry) => <Short text={actorOf(entry) ?? null} />, isWide: true },
    { head: t('duration'), cell: ({ duration_ms: ms }) => (ms === null ? '–' : durationText(ms)), isNumber: true, isWide: true },
    {
      head: t('time'),
      cell: ({ created_at: at }) => (
        <time dateTime={at} title={absoluteTime(new Date(at), locale, isUtc)}>
          {clockTime(at, view)}
        </time>
      ),
      isNumber: true,
      phone: 'end-second',
    },
  ];
}

function Summary(entry: LogEntry) {
  return (
    <span class="two">
      <span title={titleOf(entry)}>{titleOf(entry)}</span>
      <span class="small faint">{aboutOf(entry)}</span>
    </span>
  );
}

/** Where there is no room for the whole of it. */
function Short({ text }: { readonly text: string | null }) {
  if (text === null || text === '') return <>–</>;
  return (
    <span class="short" title={text} dir="auto">
      {text}
    </span>
  );
}
