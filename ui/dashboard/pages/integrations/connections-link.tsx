import type { Reply } from '../../app/replies.ts';
import { bounded } from '../../components/figure.ts';
import { Icon } from '../../components/icon.tsx';
import { t } from './texts.ts';

export type Counts = Reply<'getIntegrationStatus'>['data']['connections'];

interface ConnectionsLinkProps {
  readonly environment: string;
  readonly integration: string;
  readonly connections: Counts;
  /** True in a table column, whose head explains the figure. On a phone there is no head, so the text explains it. */
  readonly isColumn?: boolean;
}

/** The number of connections as a link to their list, and the number of those that need attention. */
export function ConnectionsLink({ environment, integration, connections, isColumn = false }: ConnectionsLinkProps) {
  const list = `e/${encodeURIComponent(environment)}/connections?integration=${encodeURIComponent(integration)}`;
  const total = totalOf(connections);
  return (
    <>
      <a href={list}>
        {isColumn && <span class="desk">{bounded(total)}</span>}
        <span class={isColumn ? 'phone' : undefined}>{t.bounded('connections', total)}</span>
      </a>
      {connections.needs_reauth > 0 && (
        <a class={isColumn ? 'small warned' : 'warned'} href={`${list}&state=needs_reauth`}>
          <Icon name="warn" />
          {t.bounded('attention', connections.needs_reauth)}
        </a>
      )}
    </>
  );
}

export function totalOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
