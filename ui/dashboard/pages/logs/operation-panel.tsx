import { useLayoutEffect, useRef } from 'preact/hooks';
import { useEnvironment } from '../../app/context.ts';
import type { One } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { useResource } from '../../app/use-resource.ts';
import { Badge } from '../../components/badge.tsx';
import { Failure } from '../../components/failure.tsx';
import { Icon } from '../../components/icon.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { aboutOf, type FullLogEntry, titleOf, toneOf, wordFor } from './log-entry.ts';
import { OperationCause } from './operation-cause.tsx';
import { Facts, Messages } from './operation-parts.tsx';
import { t } from './texts.ts';

interface OperationPanelProps {
  readonly id: string;
  /** The address of the operation's page. */
  readonly href: string;
  readonly onClose: () => void;
}

/**
 * An operation shown beside the list, so that users can read one operation after another. It takes the focus; Escape closes it.
 */
export function OperationPanel({ id, href, onClose }: OperationPanelProps) {
  const { name } = useEnvironment();
  const { value, error, reload } = useResource<One<FullLogEntry>>(pathOf(['api', 'ui', 'e', name, 'logs', id]));
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), [id]);
  const entry = value?.data;
  return (
    <aside class="panel" aria-label={t('summary')} onKeyDown={(event) => event.key === 'Escape' && onClose()}>
      <div class="panel-head">
        <h2 ref={heading} tabIndex={-1} class="grow wrap">
          {entry === undefined ? t('summary') : titleOf(entry)}
        </h2>
        <button type="button" class="btn quiet icon" aria-label={t('close')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {entry === undefined && error === undefined && <Skeleton rows={6} />}
      {error?.status === 404 && <p>{t('gone')}</p>}
      {error && error.status !== 404 && <Failure error={error} title={t('error_heading')} onRetry={reload} />}
      {entry && (
        <>
          <p class="line-up">
            <Badge tone={toneOf(entry)}>{wordFor('status', entry.status)}</Badge>
            <span class="soft">{aboutOf(entry)}</span>
            <a href={href}>{t('open_page')}</a>
          </p>
          <OperationCause {...entry} />
          <Messages {...entry} />
          <Facts {...entry} />
        </>
      )}
    </aside>
  );
}
