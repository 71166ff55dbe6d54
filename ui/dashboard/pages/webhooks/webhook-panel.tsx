import { useLayoutEffect, useRef } from 'preact/hooks';
import { useEnvironmentPath } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { useResource } from '../../app/use-resource.ts';
import { Failure } from '../../components/failure.tsx';
import { Icon } from '../../components/icon.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { t } from './texts.ts';
import { Attempts, Details, NotDelivered, Payload, ResendButton, StatusBadge, titleOf } from './webhook-parts.tsx';

interface WebhookPanelProps {
  readonly id: string;
  /** The address of the webhook's page. */
  readonly href: string;
  readonly onClose: () => void;
}

/** A webhook beside the list, so that one can be read after another. It takes the focus; Escape closes it. */
export function WebhookPanel({ id, href, onClose }: WebhookPanelProps) {
  const path = `${useEnvironmentPath()}/deliveries/${encodeURIComponent(id)}`;
  const { value, error, reload } = useResource<Reply<'getDelivery'>>(path);
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), [id]);
  const webhook = value?.data;
  return (
    <aside class="panel" aria-label={t('message')} onKeyDown={(event) => event.key === 'Escape' && onClose()}>
      <div class="panel-head">
        <h2 ref={heading} tabIndex={-1} class="grow wrap">
          {webhook === undefined ? t('message') : titleOf(webhook)}
        </h2>
        <button type="button" class="btn quiet icon" aria-label={t('close')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {webhook === undefined && error === undefined && <Skeleton rows={6} />}
      {error?.status === 404 && <p>{t('gone')}</p>}
      {error && error.status !== 404 && <Failure error={error} onRetry={reload} />}
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
    </aside>
  );
}
