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
  /** The head of the column says what the figure is; on a phone there is none. */
  readonly isColumn?: boolean;
}

/** How many there are, to the list of them; and how many somebody has to look at. */
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

/** Those that the client of now has authorized, and renews. */
export function onCurrentClient({ connections, former_clients: former }: Status): number {
  return totalOf(connections) - former.reduce((sum, { connections: count }) => sum + count, 0);
}

export function totalOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
