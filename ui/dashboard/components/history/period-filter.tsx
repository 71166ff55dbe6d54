import { useFilters } from '../../app/use-place.ts';
import { Icon } from '../icon.tsx';
import { dateFormat, localeOf } from '../times.ts';
import { t } from './texts.ts';

const HOUR_MS = 3_600_000;
const HOURS = { '1h': 1, '24h': 24, '7d': 7 * 24, '30d': 30 * 24, '90d': 90 * 24 } as const;
export type Period = keyof typeof HOURS;

interface PeriodFilterProps {
  /** The periods until now that are offered. */
  readonly periods: readonly Period[];
}

/**
 * A filter by period. The URL contains the time at which the period begins, so that users who share the URL see the same entries.
 */
export function PeriodFilter({ periods }: PeriodFilterProps) {
  const { query, set } = useFilters();
  const [since, until] = [query.get('since'), query.get('until')];
  const isSet = since !== null || until !== null;
  const choose = (value: string) => {
    const hours = HOURS[value as Period] as number | undefined;
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
        {periods.map((value) => (
          <option key={value} value={value}>
            {t(`period_${value}`)}
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
