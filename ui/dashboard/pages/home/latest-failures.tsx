import { Logo } from '../../../kit/logo.tsx';
import { useEnvironment } from '../../app/context.ts';
import { pathOf } from '../../app/router.ts';
import { Card } from '../../components/card.tsx';
import { figure } from '../../components/figure.ts';
import { Icon } from '../../components/icon.tsx';
import { logsPath } from '../../components/logs-path.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { capitalized } from '../../components/sentence.ts';
import type { Activity } from './activity.ts';
import { t } from './texts.ts';

/** The failures that happened last, those that say the same as one. */
export function LatestFailures({ failures }: Pick<Activity, 'failures'>) {
  const { name } = useEnvironment();
  const all = (
    <a class="small" href={logsPath(name, { status: 'failure' })}>
      {t('all_failures')}
    </a>
  );
  return (
    <Card title={t('latest_failures')} aside={all} isFlush>
      {failures.length === 0 ? (
        <p class="body soft">{t('no_failures')}</p>
      ) : (
        <ul class="links">
          {failures.map((failure) => (
            <li key={failure.log_id}>
              <a href={pathOf(['e', name, 'logs', failure.log_id])}>
                {failure.integration === null ? (
                  <Icon name="log" />
                ) : (
                  <Logo name={failure.integration.display_name} url={failure.integration.logo} size="s" />
                )}
                <span class="two">
                  <span>{capitalized(failure.summary)}</span>
                  <span class="small soft">
                    {[failure.integration?.display_name, failure.count > 1 && t('times', { count: figure(failure.count) })]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </span>
                <span class="small soft num">
                  <RelativeTime at={failure.latest_at} />
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
