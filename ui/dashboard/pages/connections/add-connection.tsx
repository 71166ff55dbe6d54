import { useEnvironment, useMay } from '../../app/context.ts';
import { pathOf } from '../../app/router.ts';
import { useFilters } from '../../app/use-place.ts';
import { IntegrationChoice, WithIntegration } from '../../components/integration-choice.tsx';
import { Page } from '../../components/page.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { ImportConnection } from './import-connection.tsx';
import { TestConnection } from './test-connection.tsx';
import { t } from './texts.ts';

/** The page that adds a connection. The URL determines the way of adding it and the integration. */
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
    <Page title={t('add')} crumbs={[{ href: pathOf(['e', name, 'connections']), text: t('heading') }]}>
      {mayAdd ? (
        <>
          <Tabs
            label={t('add')}
            tabs={[
              { href: hrefOf(null), text: t('test'), isCurrent: !isImport },
              { href: hrefOf('import'), text: t('import'), isCurrent: isImport },
            ]}
          />
          {/* Both ways begin with an integration, which stays chosen when the user switches between them. */}
          <WithIntegration hint={t('no_integration_hint')}>
            {(integration) => (
              <div class="narrow stack">
                <IntegrationChoice {...integration} />
                {isImport ? (
                  <ImportConnection key={integration.unique_key} integration={integration} />
                ) : (
                  // Without a `key`, so that the typed tags are kept when another integration is chosen.
                  <TestConnection integration={integration.unique_key} />
                )}
              </div>
            )}
          </WithIntegration>
        </>
      ) : (
        <p class="soft">{t('may_not_add')}</p>
      )}
    </Page>
  );
}
