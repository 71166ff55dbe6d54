import { useEnvironment } from '../../app/context.ts';
import { Card } from '../../components/card.tsx';
import { figure } from '../../components/figure.ts';
import { logsPath } from '../../components/logs-path.ts';
import { StackedBars } from '../../components/stacked-bars.tsx';
import { type Activity, barsOf, percentOf, sumOf } from './activity.ts';
import { t } from './texts.ts';

/** The proxied calls over time; each bar leads to the calls that the log has of its period. */
export function Calls({ activity }: { readonly activity: Activity }) {
  const { name } = useEnvironment();
  const { total, failed } = sumOf(activity, 'proxy');
  const bars = barsOf(activity, 'proxy');
  const lengthMs = new Date(bars[1]?.at ?? 0).getTime() - new Date(bars[0]?.at ?? 0).getTime();
  const linked = bars.map((bar) => {
    const until = new Date(new Date(bar.at).getTime() + lengthMs).toISOString();
    return { ...bar, href: logsPath(name, { type: 'proxy', since: bar.at, until }) };
  });
  return (
    <Card title={t('proxy')}>
      <p class="sums">
        <span class="value">{figure(total)}</span>
        {failed === 0 ? (
          <span class="soft">{t('none_failed')}</span>
        ) : (
          <a class="bad-text" href={logsPath(name, { type: 'proxy', status: 'failure' })}>
            {t('failed_share', { count: figure(failed), percent: percentOf(failed, total) })}
          </a>
        )}
      </p>
      <StackedBars label={t('proxy')} words={chartWords()} bars={linked} />
    </Card>
  );
}

/** Returns the names of what charts show. */
export function chartWords() {
  return { time: t('chart_time'), succeeded: t('chart_succeeded'), failed: t('chart_failed') };
}
