import { useEnvironment, useEnvironmentPath, useParams } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { useResource } from '../../app/use-resource.ts';
import { Empty } from '../../components/empty.tsx';
import { Failure } from '../../components/failure.tsx';
import { Page } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { t } from './texts.ts';
import { Attempts, Details, NotDelivered, Payload, ResendButton, StatusBadge, titleOf } from './webhook-parts.tsx';

/** The page of a webhook that was sent: its state, its attempts with the responses, and its payload. */
export function SentWebhook() {
  const { name } = useEnvironment();
  const { id = '' } = useParams();
  const { value, error, reload } = useResource<Reply<'getDelivery'>>(
    `${useEnvironmentPath()}/deliveries/${encodeURIComponent(id)}`,
  );
  const webhook = value?.data;
  const crumbs = [{ href: pathOf(['e', name, 'webhooks', 'sent']), text: t('heading') }];
  if (webhook === undefined)
    return (
      <Page title={t('message')} crumbs={crumbs}>
        {error === undefined && <Skeleton rows={6} />}
        {error?.status === 404 && <Empty title={t('gone')} hint={t('gone_hint')} />}
        {error && error.status !== 404 && <Failure error={error} onRetry={reload} />}
      </Page>
    );
  return (
    <Page
      title={titleOf(webhook)}
      crumbs={crumbs}
      badge={<StatusBadge {...webhook} />}
      actions={<ResendButton id={webhook.id} isPrimary={webhook.status !== 'delivered'} />}
    >
      <NotDelivered {...webhook} />
      <div class="columns">
        <div class="stack">
          <Payload {...webhook} />
        </div>
        <div class="stack">
          <Attempts {...webhook} />
          <Details {...webhook} />
        </div>
      </div>
    </Page>
  );
}
