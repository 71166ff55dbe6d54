import type { Reply } from '../../app/replies.ts';
import { figure } from '../../components/figure.ts';
import { Icon } from '../../components/icon.tsx';
import { t } from './texts.ts';

type Status = Reply<'getIntegrationStatus'>['data'];
export type Counts = Status['connections'];

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
        {isColumn && <span class="desk">{figure(total)}</span>}
        <span class={isColumn ? 'phone' : undefined}>{t.count('connections', total)}</span>
      </a>
      {connections.needs_reauth > 0 && (
        <a class={isColumn ? 'small warned' : 'warned'} href={`${list}&state=needs_reauth`}>
          <Icon name="warn" />
          {t.count('attention', connections.needs_reauth)}
        </a>
      )}
    </>
  );
}

/** Returns the number of connections that were authorized by the current client, which also refreshes them. */
export function onCurrentClient({ connections, former_clients: former }: Status): number {
  return totalOf(connections) - former.reduce((sum, { connections: count }) => sum + count, 0);
}

export function totalOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
