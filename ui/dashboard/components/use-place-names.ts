import { useApp, useEnvironment } from '../app/context.ts';
import type { Many, One, Reply } from '../app/replies.ts';
import type { Resource } from '../app/resources.ts';
import { pathOf } from '../app/router.ts';
import { useResource } from '../app/use-resource.ts';
import { connectionName, recordName } from './whose.ts';

type Integration = Reply<'getIntegrationsOverview'>['data'][number];
type Connection = Reply<'listConnectionRows'>['data'][number];

/**
 * What people call an integration.
 *
 * @param isListed the page reads the list of integrations, which is waited for
 * @returns its key where its name is unknown
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

/** What people call a connection. @returns its ID where its name is unknown, or the ID may be that of several */
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

/** As the page or a picker has read it: it is not asked for. */
function useKnown<Row>(path: string): Resource<Many<Row>> {
  return useApp().resources.get(path) as Resource<Many<Row>>;
}
