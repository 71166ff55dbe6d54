import { Empty } from '../../components/empty.tsx';
import { Failure } from '../../components/failure.tsx';
import { Field } from '../../components/field.tsx';
import { Page } from '../../components/page.tsx';
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

type Integrations = Reply<'listIntegrations'>['data'];

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
  const { value, error, reload } = useResource<One<Integrations>>(pathOf(['api', 'ui', 'e', name, 'integrations']));
  if (value === undefined) return error === undefined ? <Skeleton rows={4} /> : <Failure error={error} onRetry={reload} />;
  const wanted = query.get('integration');
  const integration = value.data.find(({ unique_key: key }) => key === wanted) ?? value.data[0];
  if (integration === undefined) return <NoIntegration />;
  const key = integration.unique_key;
  return (
    <div class="narrow stack">
      <Choice integrations={value.data} chosen={key} />
      {isImport ? (
        <ImportConnection key={key} integration={integration} />
      ) : (
        // What was tagged stays, whatever the integration.
        <TestConnection integration={key} />
      )}
    </div>
  );
}

function Choice({ integrations, chosen }: { readonly integrations: Integrations; readonly chosen: string }) {
  const { set } = useFilters();
  return (
    <Field label={t('integration')}>
      {(attributes) => (
        <select
          {...attributes}
          class="input"
          value={chosen}
          onChange={(event) => set({ integration: event.currentTarget.value })}
        >
          {integrations.map(({ unique_key: key, display_name: label }) => (
            <option key={key} value={key}>
              {label === key ? key : `${label} (${key})`}
            </option>
          ))}
        </select>
      )}
    </Field>
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
