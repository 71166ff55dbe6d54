import { useEnvironment } from '../../app/context.ts';
import type { One } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { useFilters } from '../../app/use-place.ts';
import { usePolling } from '../../app/use-polling.ts';
import { useResource } from '../../app/use-resource.ts';
import { Empty } from '../../components/empty.tsx';
import { Failure } from '../../components/failure.tsx';
import { figure } from '../../components/figure.ts';
import { Icon } from '../../components/icon.tsx';
import { Page } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { StackedBars } from '../../components/stacked-bars.tsx';
import { type Activity, barsOf, type Kind, sumOf } from './activity.ts';
import { BusiestIntegrations } from './busiest-integrations.tsx';
import { Calls, chartWords } from './calls.tsx';
import { ConnectionStates, type Counts } from './connection-states.tsx';
import { LatestFailures } from './latest-failures.tsx';
import { NeedsAttention } from './needs-attention.tsx';
import { t } from './texts.ts';

const PERIODS = ['24h', '14d'] as const;
const STATS = ['refresh', 'received', 'delivery', 'script'] as const;
const CHECK_EVERY_MS = 15_000;

/** The environment's home: what needs attention, then the charts of its activity. */
export function Home() {
  const { name } = useEnvironment();
  const { query } = useFilters();
  const period = PERIODS.find((one) => one === query.get('period')) ?? '24h';
  const path = `api/ui/e/${encodeURIComponent(name)}/activity?period=${period}`;
  const { value, error, reload, loadedAt } = useResource<One<Activity>>(path);
  usePolling(path, CHECK_EVERY_MS);
  return (
    <Page title={t('heading')} lead={t(`lead_${period}`)} actions={<PeriodSwitch period={period} />}>
      {value === undefined && (error ? <Failure error={error} onRetry={reload} /> : <Skeleton rows={5} />)}
      {value && <NeedsAttention environment={name} items={value.data.attention} checkedAt={loadedAt} />}
      {value && <Numbers environment={name} activity={value.data} />}
    </Page>
  );
}

function PeriodSwitch({ period }: { readonly period: (typeof PERIODS)[number] }) {
  const { set } = useFilters();
  return (
    <label class="chip">
      <span>{t(period === '24h' ? 'hours' : 'days')}</span>
      <select aria-label={t('period')} value={period} onChange={(event) => set({ period: event.currentTarget.value })}>
        <option value="24h">{t('hours')}</option>
        <option value="14d">{t('days')}</option>
      </select>
      <Icon name="down" />
    </label>
  );
}

function Numbers({ environment, activity }: { readonly environment: string; readonly activity: Activity }) {
  const count = useResource<One<Counts>>(`api/ui/e/${encodeURIComponent(environment)}/connections-count`);
  const isQuiet = [...STATS, 'proxy' as const].every((kind) => sumOf(activity, kind).total === 0);
  // The quick start is offered only without connections: with some, a period without calls is just a quiet one.
  if (isQuiet && count.value === undefined && count.error === undefined) return <Skeleton rows={5} />;
  if (isQuiet && count.value?.data.total === 0)
    return (
      <div class="card">
        <Empty title={t('quiet')} hint={t('quiet_hint')}>
          <a class="btn primary" href={pathOf(['e', environment, 'start'])}>
            {t('quick_start')}
          </a>
        </Empty>
      </div>
    );
  return (
    <div class="stack">
      <div class="halves">
        <Calls activity={activity} />
        {count.value && <ConnectionStates counts={count.value.data} />}
      </div>
      <div class="stats">
        {STATS.map((kind) => (
          <Stat key={kind} activity={activity} kind={kind} />
        ))}
      </div>
      <div class="halves even">
        <LatestFailures failures={activity.failures} />
        <BusiestIntegrations busiest={activity.busiest} />
      </div>
    </div>
  );
}

function Stat({ activity, kind }: { readonly activity: Activity; readonly kind: Kind }) {
  const { total, failed } = sumOf(activity, kind);
  return (
    <section class="card stat">
      <h2 class="small soft">{t(kind)}</h2>
      <p class="value">{figure(total)}</p>
      <p class={failed === 0 ? 'small soft' : 'small bad-text'}>
        {failed === 0 ? t('none_failed') : t(kind === 'received' ? 'refused' : 'failed', { count: figure(failed) })}
      </p>
      <StackedBars label={t(kind)} words={chartWords()} bars={barsOf(activity, kind)} isSmall />
    </section>
  );
}
