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

/** Of the environment's lists: with `search` in the query where something was typed. */
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
  /** The page loads the list of integrations for itself. */
  readonly isListed?: boolean;
}

/** Only of one integration, in the address as `integration`; a connection of another does not stay chosen. */
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

/** Only of one connection, in the address as `integration` and `connection_id`. */
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
  /** What tells those of the same name apart. */
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

/** The picker as a chip of the filter bar. @param chosen by name; empty: any @param title what the name stands for */
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
