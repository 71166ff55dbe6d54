import type { ComponentChildren } from 'preact';
import { useFilters } from '../../app/use-place.ts';
import { FilterBar, FilterChip, SearchField, SelectFilter } from '../../components/filter-bar.tsx';
import { Icon } from '../../components/icon.tsx';
import { ConnectionFilter, IntegrationFilter } from '../../components/place-filters.tsx';
import { dateFormat, localeOf } from '../../components/times.ts';
import { ACTORS, actorWord, STATUSES, TYPES, wordFor } from './log-entry.ts';
import { t } from './texts.ts';

const HOUR_MS = 3_600_000;
const PERIODS = { '1h': 1, '24h': 24, '7d': 7 * 24 } as const;

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
      <PeriodFilter />
      <GivenFilters />
      <button
        type="button"
        class={isUtc ? 'chip on' : 'chip'}
        aria-pressed={isUtc}
        onClick={() => set({ utc: isUtc ? null : '1' })}
      >
        {t('utc')}
      </button>
      {children}
    </FilterBar>
  );
}

/** A filter by kind of actor; a link from another page can set it to a single actor. */
function ActorFilter() {
  const { query, set } = useFilters();
  const [actor, id] = [query.get('actor'), query.get('actor_id')];
  if (actor !== null && id !== null) {
    const label = t('filter_actor', { name: actorWord(actor, id) });
    return <FilterChip label={label} onRemove={() => set({ actor: null, actor_id: null })} />;
  }
  return (
    <SelectFilter name="actor" label={t('actor')} choices={ACTORS.map((value) => ({ value, label: actorWord(value, null) }))} />
  );
}

/**
 * A filter by period. The URL contains the time at which the period begins, so that users who share the URL see the same entries.
 */
function PeriodFilter() {
  const { query, set } = useFilters();
  const [since, until] = [query.get('since'), query.get('until')];
  const isSet = since !== null || until !== null;
  const choose = (value: string) => {
    const hours = PERIODS[value as keyof typeof PERIODS] as number | undefined;
    set({ since: hours === undefined ? null : new Date(Date.now() - hours * HOUR_MS).toISOString(), until: null });
  };
  return (
    <label class={isSet ? 'chip on' : 'chip'}>
      <span>
        {isSet
          ? [since && t('since', { time: timeText(since) }), until && t('until', { time: timeText(until) })]
              .filter(Boolean)
              .join(', ')
          : t('period')}
      </span>
      <select aria-label={t('period')} value={isSet ? 'given' : ''} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">{t('period_any')}</option>
        {isSet && <option value="given">{t('period_given')}</option>}
        {Object.keys(PERIODS).map((value) => (
          <option key={value} value={value}>
            {t(`period_${value as keyof typeof PERIODS}`)}
          </option>
        ))}
      </select>
      <Icon name="down" />
    </label>
  );
}

function timeText(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  return dateFormat(localeOf(navigator.languages), { dateStyle: 'medium', timeStyle: 'short' }).format(at);
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
