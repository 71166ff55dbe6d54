import type { ComponentChildren } from 'preact';
import { Card } from '../../components/card.tsx';
import { Copyable } from '../../components/copy-button.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import { APP_FIELDS, configFields } from './app-form.ts';
import { SecretSet } from './kept-secret.tsx';
import { listOf } from './known-scopes.ts';
import type { Status, TabProps } from './shown-integration.ts';
import { t } from './texts.ts';

/** The settings, for members who may not change them. */
export function SettingsFacts({ integration, status, provider, setup }: TabProps) {
  const { callback_url: callback } = integration;
  const app = APP_FIELDS.filter((name) => setup.app.includes(name)).map((name) => [t(`app_${name}`), appFact(name, status)]);
  const config = configFields(provider).map(({ path: [, name], title, secret }) => {
    const value = integration.integration_config?.[name];
    return [title, value && (secret ? t('secret_set') : value)] as const;
  });
  const given: Readonly<Record<string, ComponentChildren>> = Object.fromEntries([
    ...(status.is_shared_app ? [[t('app'), t('shared_app_used')]] : app),
    ...(setup.app.includes('scopes') ? [[t('scopes'), scopesIn(status, setup.shared_app?.scopes)]] : []),
    ...config,
  ]);
  return (
    <div class="stack">
      <p class="soft">{t('may_not_change')}</p>
      <Card title={t('tab_settings')}>
        <KeyValues
          rows={{
            [t('display_name')]: integration.display_name,
            [t('id')]: <Copyable text={integration.unique_key} what={t('id')} />,
            [t('callback_url')]:
              callback && setup.callback_url !== null ? <Copyable text={callback} what={t('callback_url')} /> : undefined,
            ...Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value || t('not_set')])),
          }}
        />
      </Card>
    </div>
  );
}

function appFact(name: (typeof APP_FIELDS)[number], { client }: Status): ComponentChildren {
  const { secrets_set_at: since } = client;
  if (name === 'client_secret') return client.has_client_secret && <SecretSet since={since.client_secret} />;
  if (name === 'private_key') return client.has_private_key && <SecretSet since={since.private_key} />;
  return client[name] && <code>{client[name]}</code>;
}

function scopesIn({ client, is_shared_app: isShared }: Status, shared: readonly string[] = []): string {
  return listOf(isShared ? shared : (client.scopes ?? '').split(',').filter((name) => name !== ''));
}
