import type { ComponentChildren } from 'preact';
import { useFilters } from '../../app/use-place.ts';
import { FilterBar, FilterChip, SearchField, SelectFilter } from '../../components/filter-bar.tsx';
import { ActorFilter } from '../../components/history/actor-filter.tsx';
import { type Period, PeriodFilter } from '../../components/history/period-filter.tsx';
import { ConnectionFilter, IntegrationFilter } from '../../components/place-filters.tsx';
import { STATUSES, TYPES, wordFor } from './log-entry.ts';
import { t } from './texts.ts';

const PERIODS: readonly Period[] = ['1h', '24h', '7d'];

/** The filters of the log, which are kept in the URL. */
export function LogFilters({ children }: { readonly children: ComponentChildren }) {
  const { query, set } = useFilters();
  const isUtc = query.get('utc') === '1';
  return (
    <FilterBar>
      <SearchField name="search" placeholder={t('search')} />
      <SelectFilter name="type" label={t('type')} choices={TYPES.map((value) => ({ value, label: wordFor('type', value) }))} />
      <SelectFilter
        name="status"
        label={t('status')}
        choices={STATUSES.map((value) => ({ value, label: wordFor('status', value) }))}
      />
      <IntegrationFilter />
      <ConnectionFilter />
      <ActorFilter />
      <PeriodFilter periods={PERIODS} />
      <GivenFilters />
      <div class="push">
        <button
          type="button"
          class={isUtc ? 'chip on' : 'chip'}
          aria-pressed={isUtc}
          onClick={() => set({ utc: isUtc ? null : '1' })}
        >
          {t('utc')}
        </button>
        {children}
      </div>
    </FilterBar>
  );
}

/** The filters that only links from other pages set. */
function GivenFilters() {
  const { query, set } = useFilters();
  const given = ['operation', 'http_status', 'error_code'] as const;
  return (
    <>
      {given.map((one) => {
        const name = query.get(one);
        return name && <FilterChip key={one} label={t(`filter_${one}`, { name })} onRemove={() => set({ [one]: null })} />;
      })}
    </>
  );
}
