import { Empty } from '../../components/empty.tsx';
import { Failure } from '../../components/failure.tsx';
import { Icon } from '../../components/icon.tsx';
import { Page } from '../../components/page.tsx';
import { Picker } from '../../components/picker.tsx';
import { IntegrationName, useListAt } from '../../components/place-filters.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { useEnvironment, useMay } from '../../context.ts';
import { pathOf } from '../../core/router.ts';
import { useFilters } from '../../hooks/use-place.ts';
import { useResource } from '../../hooks/use-resource.ts';
import type { One, Reply } from '../../wire.ts';
import { ImportConnection } from './import-connection.tsx';
import { TestConnection } from './test-connection.tsx';
import { t } from './texts.ts';

type Row = Reply<'getIntegrationsOverview'>['data'][number];
/** What every way needs of it. */
type Integration = Pick<Row, 'unique_key' | 'display_name' | 'provider' | 'logo'>;

/** D8. The address says which way, and with which integration. */
export function AddConnection() {
  const { name } = useEnvironment();
  const { query } = useFilters();
  const mayAdd = useMay('developer');
  const path = pathOf(['e', name, 'connections', 'new']);
  const isImport = query.get('way') === 'import';
  const hrefOf = (way: string | null) => {
    const next = new URLSearchParams(query);
    if (way === null) next.delete('way');
    else next.set('way', way);
    return next.size === 0 ? path : `${path}?${next}`;
  };
  return (
    <Page title={t('add_heading')} crumbs={[{ href: pathOf(['e', name, 'connections']), text: t('heading') }]}>
      {mayAdd ? (
        <>
          <Tabs
            label={t('add_heading')}
            tabs={[
              { href: hrefOf(null), text: t('test'), isCurrent: !isImport },
              { href: hrefOf('import'), text: t('import'), isCurrent: isImport },
            ]}
          />
          <WithIntegration isImport={isImport} />
        </>
      ) : (
        <p class="soft">{t('may_not_add')}</p>
      )}
    </Page>
  );
}

/** Either way begins with an integration, and the ways keep it. */
function WithIntegration({ isImport }: { readonly isImport: boolean }) {
  const { name } = useEnvironment();
  const { query } = useFilters();
  const wanted = query.get('integration');
  const path = pathOf(['api', 'ui', 'e', name, ...(wanted === null ? ['integrations-overview'] : ['integrations', wanted])]);
  const { value, error, reload } = useResource<One<Integration | readonly Integration[]>>(path);
  if (value === undefined) return error === undefined ? <Skeleton rows={4} /> : <Failure error={error} onRetry={reload} />;
  const [integration] = [value.data].flat() as readonly Integration[];
  if (integration === undefined) return <NoIntegration />;
  const key = integration.unique_key;
  return (
    <div class="narrow stack">
      <Choice {...integration} />
      {isImport ? (
        <ImportConnection key={key} integration={integration} />
      ) : (
        // What was tagged stays, whatever the integration.
        <TestConnection integration={key} />
      )}
    </div>
  );
}

function Choice({ unique_key: chosen, display_name: name, logo }: Integration) {
  const { set } = useFilters();
  const listAt = useListAt('integrations-overview');
  return (
    <div class="field">
      <span class="label" aria-hidden="true">
        {t('integration')}
      </span>
      <Picker<Row>
        class="input picks"
        label={t('integration')}
        button={
          <>
            <span class="sr">{t('integration')}</span>
            <IntegrationName {...{ display_name: name, unique_key: chosen, logo }} />
            <Icon name="down" />
          </>
        }
        listAt={listAt}
        choiceOf={(one) => ({
          key: one.unique_key,
          text: <IntegrationName {...one} />,
          isChosen: one.unique_key === chosen,
          choose: () => set({ integration: one.unique_key }),
        })}
      />
    </div>
  );
}

function NoIntegration() {
  const { name } = useEnvironment();
  return (
    <div class="card">
      <Empty title={t('no_integration')} hint={t('no_integration_hint')}>
        <a class="btn primary" href={pathOf(['e', name, 'integrations', 'new'])}>
          {t('add_integration')}
        </a>
      </Empty>
    </div>
  );
}
