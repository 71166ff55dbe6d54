import { useEffect } from 'preact/hooks';
import { Logo } from '../../../kit/logo.tsx';
import { useApp, useEnvironment, useParams } from '../../app/context.ts';
import type { One } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { useResource } from '../../app/use-resource.ts';
import { Badge } from '../../components/badge.tsx';
import { Empty } from '../../components/empty.tsx';
import { Failure } from '../../components/failure.tsx';
import { logsPath } from '../../components/logs-path.ts';
import { Page } from '../../components/page.tsx';
import type { Address } from '../../components/reconnect-session.ts';
import { Skeleton } from '../../components/skeleton.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { STATE_TONES } from '../../components/tone.ts';
import { ownerOf } from '../../components/whose.ts';
import { ConfigurationTab } from './configuration-tab.tsx';
import { ConnectionActions } from './connection-actions.tsx';
import { HealthPanel } from './health-panel.tsx';
import { LogsTab } from './logs-tab.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { ProxyTab } from './proxy-tab.tsx';
import { SettingsTab } from './settings-tab.tsx';
import {
  apiPath,
  type ConnectionRecord,
  type Found,
  type Health,
  logsQuery,
  nameOf,
  pagePath,
  type Status,
} from './shown-connection.ts';
import { t } from './texts.ts';

const TABS = ['overview', 'configuration', 'proxy', 'logs', 'settings'] as const;
const COMPONENTS = {
  overview: OverviewTab,
  configuration: ConfigurationTab,
  proxy: ProxyTab,
  logs: LogsTab,
  settings: SettingsTab,
} as const;
const GONE = ['unknown_connection', 'unknown_provider_config', 'not_found'];

/** The page of a connection. */
export function Connection() {
  const { name } = useEnvironment();
  const { integration = '', id = '' } = useParams();
  const address = { environment: name, integration, id };
  const connection = useResource<ConnectionRecord>(apiPath(address));
  const health = useResource<One<Health>>(apiPath(address, 'health'));
  const status = useResource<One<Status>>(apiPath(address, 'status'));
  const error = connection.error ?? health.error ?? status.error;
  if (error !== undefined && GONE.includes(error.code)) return <Gone {...address} />;
  if (connection.value !== undefined && health.value !== undefined && status.value !== undefined)
    return <Tabbed address={address} connection={connection.value} health={health.value.data} status={status.value.data} />;
  const retry = () => {
    for (const one of [connection, health, status]) one.reload();
  };
  return (
    <Page title={id} crumbs={[crumb(name)]}>
      {error === undefined ? <Skeleton rows={6} /> : <Failure error={error} title={t('broken')} onRetry={retry} />}
    </Page>
  );
}

function Gone(address: Address) {
  return (
    <Page title={address.id} crumbs={[crumb(address.environment)]}>
      <div class="card">
        <Empty title={t('gone')} hint={t('gone_hint')}>
          <a class="btn" href={logsPath(address.environment, logsQuery(address))}>
            {t('gone_logs')}
          </a>
        </Empty>
      </div>
    </Page>
  );
}

function Tabbed(found: Found) {
  const { navigation } = useApp();
  const { tab } = useParams();
  const { address, connection, health, status } = found;
  const known = TABS.find((one) => one === tab);
  const current = known ?? 'overview';
  const Tab = COMPONENTS[current];
  const name = nameOf(found);
  const { email } = ownerOf(connection);
  // A URL without a tab, such as one that a user has shortened, leads to the first tab.
  useEffect(() => {
    if (known === undefined) navigation.replace(pagePath(address, current));
  }, [known]);
  return (
    <Page
      title={name}
      crumbs={[crumb(address.environment)]}
      face={
        <>
          <Logo name={status.integration.display_name} url={status.integration.logo} size="l" />
          <Logo name={name} url={companyLogo(address.environment, email)} size="l" />
        </>
      }
      badge={<Badge tone={STATE_TONES[health.state]}>{t(`state_${health.state}`)}</Badge>}
      lead={
        <p class="wrap">
          {email !== null && email !== name && (
            <>
              <bdi>{email}</bdi>
              {' · '}
            </>
          )}
          <a href={pathOf(['e', address.environment, 'integrations', address.integration, 'settings'])}>
            {status.integration.display_name}
          </a>
        </p>
      }
      actions={<ConnectionActions {...found} />}
    >
      <div class="stack">
        <HealthPanel {...found} />
        <Tabs label={name} tabs={TABS.map((one) => ({ href: pagePath(address, one), text: t(`tab_${one}`) }))} />
      </div>
      <Tab {...found} key={`${current} ${connection.id}`} />
    </Page>
  );
}

/** Returns the path of the logo of the user's company, by their e-mail domain; null without one: a monogram is then shown. */
function companyLogo(environment: string, email: string | null): string | null {
  const [, domain] = /@([^@]+)$/.exec(email ?? '') ?? [];
  return domain === undefined ? null : pathOf(['api', 'ui', 'e', environment, 'company-logo', domain.toLowerCase()]);
}

function crumb(environment: string) {
  return { href: pathOf(['e', environment, 'connections']), text: t('heading') };
}
