import type { ScriptEvent } from '../../../../core/scripts/event.ts';
import { EXAMPLES } from '../../../../core/scripts/examples.ts';
import { useApp, useEnvironment, useMayHoldSecrets } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { useFilters } from '../../app/use-place.ts';
import { useResource } from '../../app/use-resource.ts';
import { Failure } from '../../components/failure.tsx';
import { Field } from '../../components/field.tsx';
import { IntegrationChoice, WithIntegration } from '../../components/integration-choice.tsx';
import { Note } from '../../components/note.tsx';
import { Page } from '../../components/page.tsx';
import { NewVersion } from './new-version.tsx';
import { scriptPath } from './script-switch.tsx';
import { t } from './texts.ts';

type Integration = Pick<Reply<'getIntegrationsOverview'>['data'][number], 'unique_key' | 'display_name' | 'logo'>;

const EVENTS = Object.keys(EXAMPLES) as ScriptEvent[];

/** The page that creates the first version of a script. The URL determines the integration and the event. */
export function NewScript() {
  const { name, is_production: isProduction } = useEnvironment();
  return (
    <Page title={t('new_script')} crumbs={[{ href: pathOf(['e', name, 'scripts']), text: t('heading') }]}>
      {useMayHoldSecrets() ? (
        <WithIntegration hint={t('no_integration_hint')}>{(integration) => <Chosen integration={integration} />}</WithIntegration>
      ) : (
        <p class="soft">{t(isProduction ? 'may_not_add_production' : 'may_not_add')}</p>
      )}
    </Page>
  );
}

function Chosen({ integration }: { readonly integration: Integration }) {
  const { name } = useEnvironment();
  const { query } = useFilters();
  const key = integration.unique_key;
  const existing = useResource<Reply<'listScripts'>>(pathOf(['api', 'ui', 'e', name, 'integrations', key, 'scripts']));
  const event = EVENTS.find((one) => one === query.get('event')) ?? EVENTS[0];
  return (
    <div class="stack">
      <div class="narrow stack">
        <IntegrationChoice {...integration} />
        <EventChoice event={event} />
      </div>
      {existing.error && <Failure error={existing.error} onRetry={existing.reload} />}
      {existing.value && event && <First key={event} {...{ integration: key, event }} existing={existing.value.data} />}
    </div>
  );
}

function EventChoice({ event }: { readonly event: ScriptEvent | undefined }) {
  const { set } = useFilters();
  return (
    <Field label={t('event')} help={event && t(`when_${event}`)}>
      {(attributes) => (
        <select {...attributes} class="input" value={event} onChange={(change) => set({ event: change.currentTarget.value })}>
          {EVENTS.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface FirstProps {
  readonly integration: string;
  readonly event: ScriptEvent;
  readonly existing: Reply<'listScripts'>['data'];
}

function First({ integration, event, existing }: FirstProps) {
  const { navigation, resources } = useApp();
  const { name } = useEnvironment();
  const scripts = pathOf(['e', name, 'scripts']);
  const page = pathOf(['e', name, 'scripts', integration, event]);
  const path = scriptPath(pathOf(['api', 'ui', 'e', name]), integration, event);
  if (existing.some((one) => one.event === event))
    return (
      <Note tone="plain" title={t('exists')}>
        <a href={page}>{t('exists_open')}</a>
      </Note>
    );
  return (
    <NewVersion
      event={event}
      path={path}
      initial={{ source: EXAMPLES[event], language: 'typescript' }}
      onDeployed={(script) => {
        // Otherwise the script's page would use the cached list, which lacks the new script.
        resources.put(path.slice(0, path.lastIndexOf('/')), { data: [...existing, script] });
        navigation.go(page);
      }}
      onCancel={() => navigation.go(scripts)}
    />
  );
}
