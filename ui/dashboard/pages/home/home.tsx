import { useEnvironment } from '../../app/context.ts';
import type { One, Reply } from '../../app/replies.ts';
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
import { Sparkline } from '../../components/sparkline.tsx';
import { type Activity, pointsOf, sumOf } from './activity.ts';
import { NeedsAttention } from './needs-attention.tsx';
import { t } from './texts.ts';

type Count = Reply<'countConnections'>['data'];

const PERIODS = ['24h', '14d'] as const;
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
  const kinds = ['proxy', 'refresh', 'delivery', 'script'] as const;
  const count = useResource<One<Count>>(`api/ui/e/${encodeURIComponent(environment)}/connections-count`);
  const isQuiet = kinds.every((kind) => sumOf(pointsOf(activity, kind, 'total')) === 0);
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
    <div class="stats">
      {kinds.map((kind) => (
        <Stat key={kind} activity={activity} kind={kind} />
      ))}
      <Stat activity={activity} kind="proxy" part="failed" />
    </div>
  );
}

interface StatProps {
  readonly activity: Activity;
  readonly kind: 'proxy' | 'refresh' | 'delivery' | 'script';
  readonly part?: 'total' | 'failed';
}

function Stat({ activity, kind, part = 'total' }: StatProps) {
  const points = pointsOf(activity, kind, part);
  const failed = sumOf(pointsOf(activity, kind, 'failed'));
  const label = t(part === 'failed' ? 'proxy_errors' : kind);
  const failedTone = failed === 0 ? 'idle' : 'bad';
  return (
    <section class="card stat">
      <h2 class="small soft">{label}</h2>
      <p class="value">{figure(sumOf(points))}</p>
      {part === 'total' && <p class="small soft">{failed === 0 ? t('none_failed') : t('failed', { count: figure(failed) })}</p>}
      <Sparkline label={label} points={points} tone={part === 'failed' ? failedTone : 'accent'} />
    </section>
  );
}
