import { Logo } from '../../../kit/logo.tsx';
import { useEnvironment } from '../../app/context.ts';
import { pathOf } from '../../app/router.ts';
import { Card } from '../../components/card.tsx';
import { figure } from '../../components/figure.ts';
import { logsPath } from '../../components/logs-path.ts';
import { type Activity, percentOf } from './activity.ts';
import { t } from './texts.ts';

/** The integrations with most of the latest proxied calls. */
export function BusiestIntegrations({ busiest }: Pick<Activity, 'busiest'>) {
  const { name } = useEnvironment();
  const most = Math.max(1, ...busiest.map(({ total }) => total));
  const all = (
    <a class="small" href={pathOf(['e', name, 'integrations'])}>
      {t('all_integrations')}
    </a>
  );
  return (
    <Card title={t('busiest')} aside={all} isFlush>
      {busiest.length === 0 ? (
        <p class="body soft">{t('no_calls')}</p>
      ) : (
        <ul class="links">
          {busiest.map(({ integration, total, failed }) => (
            <li key={integration.unique_key}>
              <a href={logsPath(name, { type: 'proxy', integration: integration.unique_key })}>
                <Logo name={integration.display_name} url={integration.logo} size="s" />
                <span class="two">
                  <span>{integration.display_name}</span>
                  <span class="meter" aria-hidden="true">
                    <i class="ok" style={{ flexGrow: total - failed }} />
                    <i class="bad" style={{ flexGrow: failed }} />
                    <i style={{ flexGrow: most - total }} />
                  </span>
                </span>
                <span class="two num">
                  <span>{figure(total)}</span>
                  <span class={failed === 0 ? 'small soft' : 'small bad-text'}>
                    {failed === 0 ? t('none_failed') : t('percent_failed', { percent: percentOf(failed, total) })}
                  </span>
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
      <p class="body small soft">{t('busiest_hint')}</p>
    </Card>
  );
}
