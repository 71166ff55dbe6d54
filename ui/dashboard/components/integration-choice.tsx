import type { ComponentChildren } from 'preact';
import { useEnvironment } from '../app/context.ts';
import type { One, Reply } from '../app/replies.ts';
import { pathOf } from '../app/router.ts';
import { t } from '../app/texts/en.ts';
import { useFilters } from '../app/use-place.ts';
import { useResource } from '../app/use-resource.ts';
import { Empty } from './empty.tsx';
import { Failure } from './failure.tsx';
import { Icon } from './icon.tsx';
import { Picker } from './picker.tsx';
import { IntegrationName, useListAt } from './place-filters.tsx';
import { Skeleton } from './skeleton.tsx';

type Row = Reply<'getIntegrationsOverview'>['data'][number];
type Integration = Pick<Row, 'unique_key' | 'display_name' | 'provider' | 'logo'>;

interface WithIntegrationProps {
  /** A text that says why an integration is needed; shown when there is none. */
  readonly hint: string;
  readonly children: (integration: Integration) => ComponentChildren;
}

/** Loads the integration that a page begins with: the one in the URL, or else the first. */
export function WithIntegration({ hint, children }: WithIntegrationProps) {
  const { name } = useEnvironment();
  const { query } = useFilters();
  const wanted = query.get('integration');
  const path = pathOf(['api', 'ui', 'e', name, ...(wanted === null ? ['integrations-overview'] : ['integrations', wanted])]);
  const { value, error, reload } = useResource<One<Integration | readonly Integration[]>>(path);
  if (value === undefined) return error === undefined ? <Skeleton rows={4} /> : <Failure error={error} onRetry={reload} />;
  const [integration] = [value.data].flat() as readonly Integration[];
  if (integration !== undefined) return <>{children(integration)}</>;
  return (
    <div class="card">
      <Empty title={t('no_integration')} hint={hint}>
        <a class="btn primary" href={pathOf(['e', name, 'integrations', 'new'])}>
          {t('add_integration')}
        </a>
      </Empty>
    </div>
  );
}

/** The form field that chooses the integration, which is kept in the URL as `integration`. */
export function IntegrationChoice({ unique_key: chosen, display_name: name, logo }: Omit<Integration, 'provider'>) {
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
