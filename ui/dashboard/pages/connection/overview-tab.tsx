import { pathOf } from '../../app/router.ts';
import { Card } from '../../components/card.tsx';
import { Copyable } from '../../components/copy-button.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { accountName } from '../../components/whose.ts';
import { authWord } from '../integrations/authentication.ts';
import { CredentialsCard } from './credentials-card.tsx';
import type { Found } from './shown-connection.ts';
import { TagsCard } from './tags-card.tsx';
import { t } from './texts.ts';

export function OverviewTab(found: Found) {
  return (
    <div class="columns">
      <div class="stack">
        {/* What was revealed is hidden as soon as other credentials are stored. */}
        <CredentialsCard key={`${found.health.last_refresh_at} ${found.health.since}`} {...found} />
        <TagsCard {...found} />
      </div>
      <Facts {...found} />
    </div>
  );
}

function Facts({ address, connection, health, status }: Found) {
  const account = health.provider_account;
  const isExpired = health.expires_at !== null && new Date(health.expires_at) <= new Date();
  // True for credentials that do not expire, such as an API key.
  const isLasting = !status.is_refreshable && health.expires_at === null;
  const last = health.last_refresh_at;
  const refreshed = last === null ? t('not_refreshed') : <RelativeTime at={last} />;
  const expiry = health.expires_at === null ? t('expires_unknown') : <RelativeTime at={health.expires_at} />;
  return (
    <Card title={t('details')}>
      <KeyValues
        rows={{
          [t('id')]: <Copyable text={connection.connection_id} what={t('id')} />,
          [t('integration')]: (
            <a href={pathOf(['e', address.environment, 'integrations', address.integration, 'settings'])}>
              {status.integration.display_name}
            </a>
          ),
          [t('account')]: account === null ? undefined : accountName(account),
          [t('authentication')]: authWord(status.auth_mode),
          [t('created')]: <RelativeTime at={connection.created_at} />,
          [t('refreshed')]: status.is_refreshable ? refreshed : undefined,
          [t('used')]: <RelativeTime at={status.last_fetched_at} />,
          [t(isExpired ? 'expired_at' : 'expires')]: isLasting ? undefined : expiry,
          [t('scopes')]: status.scopes?.length ? <code>{status.scopes.join(' ')}</code> : undefined,
        }}
      />
    </Card>
  );
}
