import { Logo } from '../../../kit/logo.tsx';
import { useEnvironment, useMay, useParams } from '../../app/context.ts';
import type { One } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { useResource } from '../../app/use-resource.ts';
import { Copyable } from '../../components/copy-button.tsx';
import { Failure } from '../../components/failure.tsx';
import { Note } from '../../components/note.tsx';
import { type Crumb, Page } from '../../components/page.tsx';
import { sentence } from '../../components/sentence.ts';
import { Skeleton } from '../../components/skeleton.tsx';
import { Tabs } from '../../components/tabs.tsx';
import type { Provider, Setup } from './app-form.ts';
import { authWord } from './authentication.ts';
import { ConnectTab } from './connect-tab.tsx';
import { ConnectionsLink, totalOf } from './connections-link.tsx';
import { DeleteIntegration } from './delete-integration.tsx';
import { ScriptsTab } from './scripts-tab.tsx';
import { SettingsTab } from './settings-tab.tsx';
import type { Found, Shown, Status, TabProps } from './shown-integration.ts';
import { t } from './texts.ts';
import { WebhooksTab } from './webhooks-tab.tsx';
import { ProviderDocs } from './what-you-need.tsx';

const GONE = ['unknown_provider_config', 'not_found'];
const TABS = ['settings', 'webhooks', 'connect', 'scripts'] as const;
const COMPONENTS = {
  settings: SettingsTab,
  webhooks: WebhooksTab,
  connect: ConnectTab,
  scripts: ScriptsTab,
} as const;

/** The page of an integration. */
export function Integration() {
  const { name } = useEnvironment();
  const { key = '' } = useParams();
  const base = `api/ui/e/${encodeURIComponent(name)}`;
  const path = `${base}/integrations/${encodeURIComponent(key)}`;
  const shown = useResource<One<Shown>>(`${path}?include=webhook&include=config`);
  const status = useResource<One<Status>>(`${path}/status`);
  const integration = shown.value?.data;
  const crumbs = crumbsIn(name);
  const error = shown.error ?? status.error;
  if (error !== undefined && GONE.includes(error.code)) return <Gone id={key} />;
  if (error !== undefined && (integration === undefined || status.value === undefined)) {
    const retry = () => {
      shown.reload();
      status.reload();
    };
    return (
      <Page title={key} crumbs={crumbs}>
        <Failure error={error} title={t('broken')} onRetry={retry} />
      </Page>
    );
  }
  if (integration === undefined || status.value === undefined) return <Skeleton rows={6} />;
  return <WithProvider path={path} base={base} integration={integration} status={status.value.data} />;
}

function WithProvider({ base, ...known }: Omit<Found, 'provider' | 'setup'> & { readonly base: string }) {
  const { name: environment } = useEnvironment();
  const slug = encodeURIComponent(known.integration.provider);
  const provider = useResource<One<Provider>>(`${base}/providers/${slug}`);
  const setup = useResource<One<Setup>>(`${base}/providers/${slug}/setup`);
  const error = provider.error ?? setup.error;
  if (provider.value !== undefined && setup.value !== undefined)
    return <Tabbed {...known} provider={provider.value.data} setup={setup.value.data} />;
  if (error === undefined) return <Skeleton rows={6} />;
  const retry = () => {
    provider.reload();
    setup.reload();
  };
  const { display_name: name, unique_key: key, logo } = known.integration;
  return (
    <Page
      title={name}
      crumbs={crumbsIn(environment)}
      face={<Logo name={name} url={logo} size="l" />}
      lead={
        <span class="about">
          <Copyable text={key} what={t('id')} />
          <ConnectionsLink environment={environment} integration={key} connections={known.status.connections} />
        </span>
      }
      actions={<DeleteIntegration {...known} />}
    >
      {error.status === 404 ? (
        <NoProvider slug={known.integration.provider} fault={known.status.provider_fault} />
      ) : (
        <Failure error={error} title={t('broken')} onRetry={retry} />
      )}
    </Page>
  );
}

/** Says that the provider cannot be used. @param fault why it could not be loaded; null: its files are missing */
function NoProvider({ slug, fault }: { readonly slug: string; readonly fault: string | null }) {
  return (
    <Note tone="warn" title={t(fault === null ? 'provider_gone' : 'provider_broken', { provider: slug })}>
      {fault !== null && <p class="wrap">{sentence(fault)}</p>}
      <p>{t('provider_gone_works')}</p>
      <p>{t('provider_gone_fails')}</p>
      <p>{t(fault === null ? 'provider_gone_next' : 'provider_broken_next')}</p>
    </Note>
  );
}

function Gone({ id }: { readonly id: string }) {
  const { name: environment } = useEnvironment();
  return (
    <Page title={t('gone')} crumbs={crumbsIn(environment)}>
      <div class="card empty">
        <code class="wrap">{id}</code>
        <p class="soft">{t('gone_hint', { environment })}</p>
        <div class="actions">
          <a class="btn" href={pathOf(['e', environment, 'integrations'])}>
            {t('gone_back')}
          </a>
        </div>
      </div>
    </Page>
  );
}

function crumbsIn(environment: string): readonly Crumb[] {
  return [{ href: pathOf(['e', environment, 'integrations']), text: t('heading') }];
}

function Tabbed(found: TabProps) {
  const { name } = useEnvironment();
  const { tab } = useParams();
  const { integration, provider, status } = found;
  const mayChange = useMay('developer');
  const current = TABS.find((one) => one === tab) ?? 'settings';
  const Tab = COMPONENTS[current];
  const key = integration.unique_key;
  const isUntried = totalOf(status.connections) === 0;
  return (
    <Page
      title={integration.display_name}
      crumbs={crumbsIn(name)}
      face={<Logo name={integration.display_name} url={integration.logo} size="l" />}
      lead={
        <span class="about">
          <Copyable text={key} what={t('id')} />
          <a href={pathOf(['e', name, 'integrations', 'new', provider.name])}>{t('provider', { name: provider.display_name })}</a>
          <span>{authWord(provider.auth_mode)}</span>
          <ConnectionsLink environment={name} integration={key} connections={status.connections} />
          <ProviderDocs provider={provider} />
        </span>
      }
      actions={
        <>
          <TestLink integration={key} isNext={isUntried} />
          <DeleteIntegration {...found} />
        </>
      }
    >
      <Tabs
        label={integration.display_name}
        tabs={TABS.map((one) => ({ href: pathOf(['e', name, 'integrations', key, one]), text: t(`tab_${one}`) }))}
      />
      {isUntried && mayChange && (
        <Note tone="plain" title={t('untried')}>
          <p>{t('untried_hint')}</p>
        </Note>
      )}
      <Tab {...found} key={`${current} ${integration.updated_at}`} />
    </Page>
  );
}

/** The link to a test connection. @param isNext true when nobody has connected yet */
function TestLink({ integration, isNext }: { readonly integration: string; readonly isNext: boolean }) {
  const { name } = useEnvironment();
  if (!useMay('developer')) return null;
  return (
    <a
      class={isNext ? 'btn primary' : 'btn'}
      href={`${pathOf(['e', name, 'connections', 'new'])}?${new URLSearchParams({ integration })}`}
    >
      {t('test_connection')}
    </a>
  );
}
