import { useMemo, useRef } from 'preact/hooks';
import { Badge } from '../../components/badge.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar, FilterChip, SearchField, SelectFilter } from '../../components/filter-bar.tsx';
import { Icon } from '../../components/icon.tsx';
import { Page } from '../../components/page.tsx';
import { ConnectionFilter, IntegrationFilter } from '../../components/place-filters.tsx';
import { useEnvironment } from '../../context.ts';
import { pathOf } from '../../core/router.ts';
import { useList } from '../../hooks/use-list.ts';
import { useFilters } from '../../hooks/use-place.ts';
import { columnsFor } from './columns.tsx';
import { actorWord, type LogEntry, STATUSES, TYPES, wordFor } from './log-entry.ts';
import { t } from './texts.ts';
import { type Live, useLive } from './use-live.ts';

const FILTERS = ['search', 'type', 'operation', 'status', 'integration', 'connection_id', 'actor', 'actor_id', 'period'];
const PERIODS = ['1h', '24h', '7d'] as const;
const HOURS: Readonly<Record<string, number>> = { '1h': 1, '24h': 24, '7d': 7 * 24 };
const HOUR_MS = 3_600_000;

/** D10. Everything that narrows the list is in the address. */
export function Logs() {
  const { name } = useEnvironment();
  const { query } = useFilters();
  const suffix = useWanted(query);
  const base = `api/ui/e/${encodeURIComponent(name)}/logs`;
  const list = useList<LogEntry>(`${base}?limit=50${suffix}`);
  const body = useRef<HTMLDivElement>(null);
  const isBusy = () => body.current?.matches(':has(tbody:hover, tbody :focus-visible)') === true;
  const live = useLive(`${base}/stream?${suffix.slice(1)}`, list, isBusy);
  const isUtc = query.get('utc') === '1';
  return (
    <Page title={t('heading')} lead={t('lead')} actions={<LiveSwitch {...live} />}>
      <Filters />
      {live.waiting > 0 && (
        <p class="pill" role="status">
          <button type="button" class="btn primary" onClick={live.show}>
            {t.count('new', live.waiting)}
          </button>
        </p>
      )}
      <div ref={body}>
        <DataTable
          caption={t('heading')}
          list={list}
          columns={columnsFor(isUtc)}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => pathOf(['e', name, 'logs', id])}
          filters={FILTERS}
          empty={<Empty title={t('empty')} hint={t('empty_hint')} />}
        />
      </div>
    </Page>
  );
}

/** The filters of the address, as the service takes them: a period begins when it is chosen. */
function useWanted(query: URLSearchParams): string {
  const hours = HOURS[query.get('period') ?? ''];
  const since = useMemo(() => (hours === undefined ? undefined : new Date(Date.now() - hours * HOUR_MS).toISOString()), [hours]);
  const set = FILTERS.filter((name) => name !== 'period' && query.has(name)).map((name) => [name, query.get(name) ?? '']);
  const wanted = new URLSearchParams([...set, ...(since === undefined ? [] : [['since', since]])]);
  return wanted.size === 0 ? '' : `&${wanted}`;
}

function LiveSwitch({ isLive, isPaused, setPaused }: Live) {
  return (
    <>
      <Badge tone={isLive ? 'ok' : 'idle'}>{t(isLive ? 'live' : 'not_live')}</Badge>
      <button type="button" class="btn" onClick={() => setPaused(!isPaused)}>
        <Icon name={isPaused ? 'play' : 'pause'} />
        {t(isPaused ? 'resume' : 'pause')}
      </button>
    </>
  );
}

function Filters() {
  const { query, set } = useFilters();
  const operation = query.get('operation');
  const actor = query.get('actor');
  const isUtc = query.get('utc') === '1';
  const choices = (kind: 'type' | 'status', values: readonly string[]) =>
    values.map((value) => ({ value, label: wordFor(kind, value) }));
  return (
    <FilterBar>
      <SearchField name="search" placeholder={t('search')} />
      <SelectFilter name="type" label={t('type')} choices={choices('type', TYPES)} />
      <SelectFilter name="status" label={t('status')} choices={choices('status', STATUSES)} />
      <IntegrationFilter />
      <ConnectionFilter />
      <SelectFilter
        name="period"
        label={t('period')}
        choices={PERIODS.map((value) => ({ value, label: t(`period_${value}`) }))}
      />
      {operation && <FilterChip label={t('filter_operation', { name: operation })} onRemove={() => set({ operation: null })} />}
      {actor && (
        <FilterChip
          label={t('filter_actor', { name: actorWord(actor, query.get('actor_id')) })}
          onRemove={() => set({ actor: null, actor_id: null })}
        />
      )}
      <button
        type="button"
        class={isUtc ? 'chip on' : 'chip'}
        aria-pressed={isUtc}
        onClick={() => set({ utc: isUtc ? null : '1' })}
      >
        {t('utc')}
      </button>
    </FilterBar>
  );
}
