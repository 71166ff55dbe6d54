import { useMemo, useRef } from 'preact/hooks';
import { useEnvironment, useMe } from '../../app/context.ts';
import { pathOf } from '../../app/router.ts';
import { useList } from '../../app/use-list.ts';
import { useFilters } from '../../app/use-place.ts';
import { Badge } from '../../components/badge.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Icon } from '../../components/icon.tsx';
import { Page } from '../../components/page.tsx';
import { columnsFor } from './columns.tsx';
import type { LogEntry } from './log-entry.ts';
import { LogFilters } from './log-filters.tsx';
import { OperationPanel } from './operation-panel.tsx';
import { t } from './texts.ts';
import { type Live, useLive } from './use-live.ts';

/** The names of the filters, in the service's query and in the URL. */
const FILTERS = [
  'search',
  'type',
  'operation',
  'status',
  'integration',
  'connection_id',
  'actor',
  'actor_id',
  'http_status',
  'error_code',
  'since',
  'until',
];

/** The media query of windows with room for an operation beside the list. */
const ROOMY = '(min-width: 1101px)';

/** The log. All filters are kept in the URL. */
export function Logs() {
  const { name } = useEnvironment();
  const { query, set } = useFilters();
  const wanted = new URLSearchParams(FILTERS.filter((one) => query.has(one)).map((one) => [one, query.get(one) ?? '']));
  const base = `api/ui/e/${encodeURIComponent(name)}/logs`;
  const listPath = `${base}?${new URLSearchParams([['limit', '50'], ...wanted])}`;
  const list = useList<LogEntry>(listPath);
  const body = useRef<HTMLDivElement>(null);
  const isBusy = () => body.current?.matches(':has(tbody:hover, tbody :focus-visible)') === true;
  const live = useLive({ path: `${base}/stream?${wanted}`, listPath, list, isBusy });
  const isUtc = query.get('utc') === '1';
  const open = query.get('open');
  const hrefOf = (id: string) => pathOf(['e', name, 'logs', id]) + (isUtc ? '?utc=1' : '');
  const openBeside = (id: string) => {
    const hasRoom = matchMedia(ROOMY).matches;
    if (hasRoom) set({ open: id });
    return hasRoom;
  };
  const close = () => {
    body.current?.querySelector<HTMLElement>('[aria-current]')?.focus();
    set({ open: null });
  };
  const columns = useMemo(() => columnsFor(isUtc), [isUtc]);
  return (
    <Page title={t('heading')} lead={<Lead />} actions={<LiveSwitch {...live} />}>
      <LogFilters />
      {live.waiting > 0 && (
        <p class="pill" role="status">
          <button type="button" class="btn primary" onClick={live.show}>
            {live.isTooMany ? t('new_many', { count: live.waiting }) : t.count('new', live.waiting)}
          </button>
        </p>
      )}
      <div ref={body}>
        <DataTable
          caption={t('heading')}
          list={list}
          columns={columns}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => hrefOf(id)}
          openBeside={openBeside}
          openKey={open ?? undefined}
          filters={FILTERS}
          count={(total) => t.count('total', total)}
          empty={<Empty title={t('empty')} hint={t('empty_hint')} />}
        />
        {open !== null && <OperationPanel id={open} href={hrefOf(open)} onClose={close} />}
      </div>
    </Page>
  );
}

function Lead() {
  return <>{t('lead', { days: t.count('days', useMe().log_retention_days) })}</>;
}

function LiveSwitch({ isLive, isPaused, setPaused }: Live) {
  if (!isLive && !isPaused) return <Badge tone="idle">{t('not_live')}</Badge>;
  return (
    <>
      <Badge tone={isPaused ? 'idle' : 'ok'}>{t(isPaused ? 'paused' : 'live')}</Badge>
      <button type="button" class="btn" onClick={() => setPaused(!isPaused)}>
        <Icon name={isPaused ? 'play' : 'pause'} />
        {t(isPaused ? 'resume' : 'pause')}
      </button>
    </>
  );
}
