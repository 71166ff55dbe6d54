import { useMemo, useRef, useState } from 'preact/hooks';
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
import { Export } from './export.tsx';
import { folded } from './fold.ts';
import { Histogram } from './histogram.tsx';
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
  const { rows, isFolded, fold, unfold } = useFolding(list.rows);
  const columns = useMemo(() => columnsFor(isUtc, unfold), [isUtc]);
  return (
    <Page
      title={t('heading')}
      lead={<Lead />}
      actions={
        <>
          <Export path={`${base}?${wanted}`} />
          <LiveSwitch {...live} />
        </>
      }
    >
      <Histogram />
      <LogFilters>
        <button type="button" class={isFolded ? 'chip on' : 'chip'} aria-pressed={isFolded} onClick={() => fold(!isFolded)}>
          {t('fold')}
        </button>
      </LogFilters>
      <NewEntries {...live} />
      <div ref={body}>
        <DataTable
          caption={t('heading')}
          list={{ ...list, rows }}
          columns={columns}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => hrefOf(id)}
          openBeside={openBeside}
          openKey={open ?? undefined}
          filters={FILTERS}
          empty={<Empty title={t('empty')} hint={t('empty_hint')} />}
        />
        {open !== null && <OperationPanel id={open} href={hrefOf(open)} onClose={close} />}
      </div>
    </Page>
  );
}

/** Folds entries that say the same, unless the URL says otherwise. */
function useFolding(entries: readonly LogEntry[] | undefined) {
  const { query, set } = useFilters();
  const isFolded = query.get('fold') !== '0';
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(
    () => (isFolded && entries !== undefined ? folded(entries, unfolded) : entries),
    [entries, isFolded, unfolded],
  );
  const fold = (isWanted: boolean) => {
    setUnfolded(new Set());
    set({ fold: isWanted ? null : '0' });
  };
  const unfold = (key: string) => setUnfolded((known) => new Set([...known, key]));
  return { rows, isFolded, fold, unfold };
}

/** Offers the entries that came since the list was loaded. */
function NewEntries({ waiting, isTooMany, show }: Live) {
  if (waiting === 0) return null;
  return (
    <p class="pill" role="status">
      <button type="button" class="btn primary" onClick={show}>
        {isTooMany ? t('new_many', { count: waiting }) : t.count('new', waiting)}
      </button>
    </p>
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
