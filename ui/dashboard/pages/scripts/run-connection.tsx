import { Icon } from '../../components/icon.tsx';
import { Monogram } from '../../components/monogram.tsx';
import { Picker } from '../../components/picker.tsx';
import { useEnvironment } from '../../context.ts';
import { pathOf } from '../../core/router.ts';
import { connectionName } from '../../core/whose.ts';
import { useFilters } from '../../hooks/use-place.ts';
import { useResource } from '../../hooks/use-resource.ts';
import type { Many, Reply } from '../../wire.ts';
import { t } from './texts.ts';

type Connection = Reply<'listConnectionRows'>['data'][number];
type ListAt = (search: string) => string;

/** Only runs for one connection of the integration, in the address as `connection_id`. */
export function RunConnection({ integration }: { readonly integration: string }) {
  const { name: environment } = useEnvironment();
  const { query, set } = useFilters();
  const chosen = query.get('connection_id') ?? '';
  const path = pathOf(['api', 'ui', 'e', environment, 'connection-rows']);
  const listAt: ListAt = (search) => `${path}?${new URLSearchParams({ integration, ...(search !== '' && { search }) })}`;
  return (
    <Picker<Connection>
      class={chosen === '' ? 'chip' : 'chip on'}
      label={t('connection')}
      button={
        <>
          <span class="clip" title={chosen} dir="auto">
            {chosen === '' ? t('connection') : <Chosen id={chosen} listAt={listAt} />}
          </span>
          <Icon name="down" />
        </>
      }
      listAt={listAt}
      choiceOf={(one) => ({
        key: one.connection_id,
        text: <Choice {...one} />,
        isChosen: one.connection_id === chosen,
        choose: () => set({ connection_id: one.connection_id }),
      })}
      onClear={() => set({ connection_id: null })}
    />
  );
}

function Choice(one: Connection) {
  const name = connectionName(one);
  return (
    <>
      <Monogram name={name} />
      <span class="clip" dir="auto">
        {name}
      </span>
      {name !== one.connection_id && <code class="small faint clip">{one.connection_id}</code>}
    </>
  );
}

/** By its ID where it has no name, or is gone. */
function Chosen({ id, listAt }: { readonly id: string; readonly listAt: ListAt }) {
  const { value } = useResource<Many<Connection>>(listAt(id));
  const found = value?.data.find((one) => one.connection_id === id);
  return <>{t('connection_named', { name: found === undefined ? id : connectionName(found) })}</>;
}
