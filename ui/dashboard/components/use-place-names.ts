import { useApp, useEnvironment } from '../app/context.ts';
import type { Many, One, Reply } from '../app/replies.ts';
import type { Resource } from '../app/resources.ts';
import { pathOf } from '../app/router.ts';
import { useResource } from '../app/use-resource.ts';
import { connectionName, recordName } from './whose.ts';

type Integration = Reply<'getIntegrationsOverview'>['data'][number];
type Connection = Reply<'listConnectionRows'>['data'][number];

/**
 * Returns the display name of an integration.
 *
 * @param isListed true when the page reads the list of integrations: the name is then taken from that list once it has arrived
 * @returns the `unique_key` while the name is unknown
 */
export function useIntegrationName(key: string, isListed: boolean): string {
  const base = useBase();
  const { value, error } = useKnown<Integration>(`${base}/integrations-overview`);
  const known = value?.data.find((one) => one.unique_key === key);
  const isAwaited = isListed && value === undefined && error === undefined;
  const isAsked = key !== '' && known === undefined && !isAwaited;
  const path = `${base}/${pathOf(['integrations', key])}`;
  const asked = useResource<One<Pick<Integration, 'display_name'>>>(isAsked ? path : null);
  return known?.display_name ?? asked.value?.data.display_name ?? key;
}

/**
 * Returns the name of a connection.
 *
 * @returns the ID while the name is unknown; also if the integration is not given, since several connections may have this ID
 */
export function useConnectionName(integration: string, id: string): string {
  const base = useBase();
  const { value } = useKnown<Connection>(`${base}/connection-rows`);
  const known = value?.data.find((one) => one.connection_id === id && one.provider_config_key === integration);
  const isAsked = integration !== '' && id !== '' && known === undefined;
  const path = `${base}/${pathOf(['connections', id])}?${new URLSearchParams({ provider_config_key: integration })}`;
  const asked = useResource<Reply<'getConnection'>>(isAsked ? path : null).value;
  if (known !== undefined) return connectionName(known);
  return asked === undefined ? id : recordName(asked);
}

function useBase(): string {
  return pathOf(['api', 'ui', 'e', useEnvironment().name]);
}

/** Returns the list that the page or a picker has read, without requesting it. */
function useKnown<Row>(path: string): Resource<Many<Row>> {
  return useApp().resources.get(path) as Resource<Many<Row>>;
}
