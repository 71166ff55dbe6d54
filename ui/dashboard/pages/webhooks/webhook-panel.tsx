import { useEnvironmentPath } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { useResource } from '../../app/use-resource.ts';
import { SidePanel } from '../../components/side-panel.tsx';
import { t } from './texts.ts';
import { Attempts, Details, NotDelivered, Payload, ResendButton, StatusBadge, titleOf } from './webhook-parts.tsx';

interface WebhookPanelProps {
  readonly id: string;
  /** The address of the webhook's page. */
  readonly href: string;
  readonly onClose: () => void;
}

/** A webhook beside the list. */
export function WebhookPanel({ id, href, onClose }: WebhookPanelProps) {
  const path = `${useEnvironmentPath()}/deliveries/${encodeURIComponent(id)}`;
  const { value, error, reload } = useResource<Reply<'getDelivery'>>(path);
  const webhook = value?.data;
  return (
    <SidePanel
      id={id}
      label={t('message')}
      title={webhook && titleOf(webhook)}
      gone={t('gone')}
      error={error}
      onRetry={reload}
      onClose={onClose}
    >
      {webhook && (
        <>
          <p class="line-up">
            <StatusBadge {...webhook} />
            <a class="grow" href={href}>
              {t('open_page')}
            </a>
            <ResendButton id={webhook.id} isPrimary={false} />
          </p>
          <NotDelivered {...webhook} />
          <Attempts {...webhook} />
          <Payload {...webhook} />
          <Details {...webhook} />
        </>
      )}
    </SidePanel>
  );
}
