import { useEnvironment } from '../../app/context.ts';
import type { Many, Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { useFilters } from '../../app/use-place.ts';
import { useResource } from '../../app/use-resource.ts';
import { Picker } from '../../components/picker.tsx';
import { ConnectionChoice, chipOf } from '../../components/place-filters.tsx';
import { connectionName } from '../../components/whose.ts';
import { t } from './texts.ts';

type Connection = Reply<'listConnectionRows'>['data'][number];

/** A filter of the runs by connection of the integration, in the URL as `connection_id`. */
export function RunConnection({ integration }: { readonly integration: string }) {
  const { name: environment } = useEnvironment();
  const { query, set } = useFilters();
  const chosen = query.get('connection_id') ?? '';
  const path = pathOf(['api', 'ui', 'e', environment, 'connection-rows']);
  const listAt = (search: string) => `${path}?${new URLSearchParams({ integration, ...(search !== '' && { search }) })}`;
  const { value } = useResource<Many<Connection>>(chosen === '' ? null : listAt(chosen));
  const found = value?.data.find((one) => one.connection_id === chosen);
  return (
    <Picker<Connection>
      {...chipOf(t('connection'), found === undefined ? chosen : connectionName(found), chosen)}
      listAt={listAt}
      choiceOf={(one) => {
        const { connection_id: id } = one;
        const name = connectionName(one);
        return {
          key: id,
          text: <ConnectionChoice name={name} second={name !== id && <code>{id}</code>} />,
          isChosen: id === chosen,
          choose: () => set({ connection_id: id }),
        };
      }}
      onClear={() => set({ connection_id: null })}
    />
  );
}
