import type { ComponentChildren } from 'preact';
import { Logo, Monogram } from '../../kit/logo.tsx';
import { useEnvironment } from '../app/context.ts';
import type { Reply } from '../app/replies.ts';
import { pathOf } from '../app/router.ts';
import { t } from '../app/texts/en.ts';
import { useFilters } from '../app/use-place.ts';
import { Icon } from './icon.tsx';
import { Picker } from './picker.tsx';
import { useConnectionName, useIntegrationName } from './use-place-names.ts';
import { connectionName } from './whose.ts';

type Integration = Reply<'getIntegrationsOverview'>['data'][number];
type Connection = Reply<'listConnectionRows'>['data'][number];

/**
 * Returns a function that takes the typed text and returns the path of the environment's list, with that text, if any, as
 * `search` in its query.
 */
export function useListAt(list: string): (search: string) => string {
  const { name } = useEnvironment();
  const path = pathOf(['api', 'ui', 'e', name, list]);
  return (search) => (search === '' ? path : `${path}?${new URLSearchParams({ search })}`);
}

export function IntegrationName({
  display_name: name,
  unique_key: key,
  logo,
}: Pick<Integration, 'display_name' | 'unique_key' | 'logo'>) {
  return (
    <>
      <Logo name={name} url={logo} size="s" />
      <span class="clip" dir="auto">
        {name}
      </span>
      {key !== name && <code class="small faint clip">{key}</code>}
    </>
  );
}

interface IntegrationFilterProps {
  /** True when the page itself loads the list of integrations: the name of the chosen one is then taken from that list. */
  readonly isListed?: boolean;
}

/**
 * A filter by integration, in the URL as `integration`. Choosing one removes the filter by connection, since a connection belongs
 * to one integration.
 */
export function IntegrationFilter({ isListed = false }: IntegrationFilterProps) {
  const { query, set } = useFilters();
  const listAt = useListAt('integrations-overview');
  const chosen = query.get('integration') ?? '';
  return (
    <Picker<Integration>
      {...chipOf(t('integration'), useIntegrationName(chosen, isListed))}
      listAt={listAt}
      choiceOf={(one) => ({
        key: one.unique_key,
        text: <IntegrationName {...one} />,
        isChosen: one.unique_key === chosen,
        choose: () => set({ integration: one.unique_key, connection_id: null }),
      })}
      onClear={() => set({ integration: null, connection_id: null })}
    />
  );
}

/** A filter by connection, in the URL as `integration` and `connection_id`. */
export function ConnectionFilter() {
  const { query, set } = useFilters();
  const listAt = useListAt('connection-rows');
  const chosen = query.get('connection_id') ?? '';
  return (
    <Picker<Connection>
      {...chipOf(t('connection'), useConnectionName(query.get('integration') ?? '', chosen))}
      listAt={listAt}
      choiceOf={({ connection_id: id, provider_config_key: key, ...one }) => {
        const name = connectionName({ connection_id: id, ...one });
        return {
          key: pathOf([key, id]),
          text: <ConnectionChoice name={name} second={one.integration_name} />,
          isChosen: id === chosen,
          choose: () => set({ integration: key, connection_id: id }),
        };
      }}
      onClear={() => set({ connection_id: null })}
    />
  );
}

interface ConnectionChoiceProps {
  readonly name: string;
  /** The content that distinguishes connections with the same name. */
  readonly second: ComponentChildren;
}

export function ConnectionChoice({ name, second }: ConnectionChoiceProps) {
  return (
    <>
      <Monogram name={name} />
      <span class="clip" dir="auto">
        {name}
      </span>
      {second && <span class="small faint clip">{second}</span>}
    </>
  );
}

/**
 * Returns the props of a picker that is a chip in the filter bar.
 *
 * @param chosen the chosen name; empty if nothing is chosen
 * @param title the ID for which the name stands
 */
export function chipOf(label: string, chosen: string, title?: string) {
  const button = (
    <>
      <span class="clip" title={title}>
        {chosen === '' ? label : t('filter_value', { label, value: chosen })}
      </span>
      <Icon name="down" />
    </>
  );
  return { class: chosen === '' ? 'chip' : 'chip on', label, button };
}
