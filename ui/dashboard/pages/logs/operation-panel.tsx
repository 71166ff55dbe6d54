import { useEnvironment } from '../../app/context.ts';
import type { One } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { useResource } from '../../app/use-resource.ts';
import { Badge } from '../../components/badge.tsx';
import { SidePanel } from '../../components/side-panel.tsx';
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

/** An operation beside the list. */
export function OperationPanel({ id, href, onClose }: OperationPanelProps) {
  const { name } = useEnvironment();
  const { value, error, reload } = useResource<One<FullLogEntry>>(pathOf(['api', 'ui', 'e', name, 'logs', id]));
  const entry = value?.data;
  return (
    <SidePanel
      id={id}
      label={t('summary')}
      title={entry && titleOf(entry)}
      gone={t('gone')}
      failed={t('error_heading')}
      error={error}
      onRetry={reload}
      onClose={onClose}
    >
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
    </SidePanel>
  );
}
