import { useEnvironment, useMe, useParams } from '../../app/context.ts';
import type { One } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { useResource } from '../../app/use-resource.ts';
import { Badge } from '../../components/badge.tsx';
import { Empty } from '../../components/empty.tsx';
import { Failure } from '../../components/failure.tsx';
import { Page } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { aboutOf, type FullLogEntry, titleOf, toneOf, wordFor } from './log-entry.ts';
import { OperationCause } from './operation-cause.tsx';
import { Facts, Messages } from './operation-parts.tsx';
import { t } from './texts.ts';

/** The page of an operation. */
export function Operation() {
  const { name } = useEnvironment();
  const { id = '' } = useParams();
  const { value, error, reload } = useResource<One<FullLogEntry>>(pathOf(['api', 'ui', 'e', name, 'logs', id]));
  const entry = value?.data;
  const crumbs = [{ href: pathOf(['e', name, 'logs']), text: t('heading') }];
  if (entry === undefined) {
    return (
      <Page title={t('summary')} crumbs={crumbs}>
        {error === undefined && <Skeleton rows={6} />}
        {error?.status === 404 && <Gone />}
        {error && error.status !== 404 && <Failure error={error} title={t('error_heading')} onRetry={reload} />}
      </Page>
    );
  }
  const badge = <Badge tone={toneOf(entry)}>{wordFor('status', entry.status)}</Badge>;
  return (
    <Page title={titleOf(entry)} crumbs={crumbs} badge={badge} lead={aboutOf(entry)}>
      <OperationCause {...entry} />
      <div class="columns">
        <Messages {...entry} />
        <Facts {...entry} />
      </div>
    </Page>
  );
}

function Gone() {
  const { name } = useEnvironment();
  const { log_retention_days: days } = useMe();
  return (
    <div class="card">
      <Empty title={t('gone')} hint={t('gone_hint', { days: t.count('days', days) })}>
        <a class="btn" href={pathOf(['e', name, 'logs'])}>
          {t('to_logs')}
        </a>
      </Empty>
    </div>
  );
}
