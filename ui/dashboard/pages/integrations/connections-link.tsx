import { Icon } from '../../components/icon.tsx';
import type { Reply } from '../../wire.ts';
import { t } from './texts.ts';

type Status = Reply<'getIntegrationStatus'>['data'];
export type Counts = Status['connections'];

interface ConnectionsLinkProps {
  readonly environment: string;
  readonly integration: string;
  readonly connections: Counts;
}

/** How many there are, to the list of them; and how many somebody has to look at. */
export function ConnectionsLink({ environment, integration, connections }: ConnectionsLinkProps) {
  const list = `e/${encodeURIComponent(environment)}/connections?integration=${encodeURIComponent(integration)}`;
  return (
    <>
      <a href={list}>{t.count('connections', totalOf(connections))}</a>
      {connections.needs_reauth > 0 && (
        <a class="small warned" href={`${list}&state=needs_reauth`} aria-label={t.count('reconnect', connections.needs_reauth)}>
          <Icon name="warn" />
          {connections.needs_reauth}
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
