import { useApp, useEnvironment, useMay } from '../../app/context.ts';
import { pathOf } from '../../app/router.ts';
import { Copyable } from '../../components/copy-button.tsx';
import { Field, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Note } from '../../components/note.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useForm } from '../../components/use-form.ts';
import { AboutProvider } from './about-provider.tsx';
import { AppFields, ConfigFields, type KeptSecrets } from './app-fields.tsx';
import {
  APP_FIELDS,
  type AppValues,
  changedApp,
  changedConfig,
  configFaults,
  configFields,
  initialConfig,
  keptConfig,
  nameFaults,
  removedApp,
  type Setup,
  takenKey,
} from './app-form.ts';
import { totalOf } from './connections-link.tsx';
import { listOf } from './known-scopes.ts';
import { ScopeDrift } from './scope-drift.tsx';
import { SettingsFacts } from './settings-facts.tsx';
import type { Status, TabProps } from './shown-integration.ts';
import { t } from './texts.ts';
import { WhatYouNeed } from './what-you-need.tsx';

export function SettingsTab(found: TabProps) {
  const { path, integration, status, provider, setup } = found;
  const mayChange = useMay('developer');
  const settings = useSettings(found);
  const isShared = status.is_shared_app && !isGiven(settings.form.values, 'client_id');
  return (
    <div class="beside">
      {mayChange ? <SettingsForm {...found} {...settings} isShared={isShared} /> : <SettingsFacts {...found} />}
      <div class="stack">
        {mayChange && (
          <WhatYouNeed
            provider={provider}
            setup={
              setup.callback_url === null ? setup : { ...setup, callback_url: integration.callback_url ?? setup.callback_url }
            }
            isShared={isShared}
          />
        )}
        <AboutProvider provider={provider} setup={setup} />
        {totalOf(status.connections) > 0 && setup.app.includes('scopes') && (
          <ScopeDrift path={path} integration={integration.unique_key} />
        )}
      </div>
    </div>
  );
}

interface SettingsFormProps extends TabProps, ReturnType<typeof useSettings> {
  /** True when the operator's app is used and no other app has been entered. */
  readonly isShared: boolean;
}

/** The form of the settings. Secrets can be written, but are never shown. */
function SettingsForm({ integration, status, provider, setup, form, fields, before, isShared }: SettingsFormProps) {
  const total = totalOf(status.connections);
  const { on_current_client: onCurrent } = status;
  const hasClient = setup.app_need !== 'none' && (status.client.client_id ?? status.client.app_id ?? null) !== null;
  const hasNewClient = hasClient && APP_FIELDS.some((name) => name.endsWith('_id') && isChanged(form.values, before, name));
  return (
    <Form form={form}>
      <FormerClients status={status} />
      <TextField<string> form={form} name="display_name" label={t('display_name')} />
      <TextField<string> form={form} name="unique_key" label={t('id')} help={t('id_follows')} isCode />
      {integration.callback_url && setup.callback_url !== null && <CallbackUrl url={integration.callback_url} />}
      {isShared && <p class="soft">{t('uses_shared_app', { scopes: listOf(setup.shared_app?.scopes) })}</p>}
      <AppFields
        form={form}
        provider={provider}
        members={isShared ? setup.app.filter((name) => name !== 'scopes') : setup.app}
        kept={keptSecrets(status)}
        clientHelp={hasClient && onCurrent > 0 && !isShared ? t.bounded('client_help', onCurrent) : undefined}
        scopesHelp={total > 0 ? scopesHelp(setup, total) : undefined}
        secretHelp={t(setup.has_secret_overlap ? 'secret_overlap' : 'secret_kept')}
      />
      <ConfigFields form={form} fields={fields} kept={keptConfig(fields, integration.integration_config)} />
      {hasNewClient && onCurrent > 0 && (
        <Note tone="warn" title={t.bounded('client_change', onCurrent)}>
          <p>{t('keep_client')}</p>
        </Note>
      )}
      <div class="actions">
        <button type="submit" class={total === 0 ? 'btn' : 'btn primary'} disabled={form.isSending || !form.isChanged}>
          {t('save')}
        </button>
      </div>
    </Form>
  );
}

function scopesHelp({ scopes_apply: when }: Setup, connections: number): string {
  return when === 'next_token' ? t('scopes_next_token') : t.bounded('scopes_change', connections);
}

function CallbackUrl({ url }: { readonly url: string }) {
  const { name } = useEnvironment();
  const help = (
    <>
      {t('callback_help')} <a href={pathOf(['e', name, 'settings', 'callback'])}>{t('callback_change')}</a>
    </>
  );
  return (
    <Field label={t('callback_url')} help={help}>
      {(attributes) => (
        <span {...attributes}>
          <Copyable text={url} what={t('callback_url')} />
        </span>
      )}
    </Field>
  );
}

function useSettings({ path, integration, status, provider, setup }: TabProps) {
  const { client, resources, navigation, toast } = useApp();
  const { name: environment } = useEnvironment();
  const fields = configFields(provider);
  const before: AppValues = {
    display_name: integration.display_name,
    unique_key: integration.unique_key,
    ...appValues(setup.app, status),
    ...initialConfig(fields, integration.integration_config),
  };
  const form = useForm<AppValues>({
    initial: before,
    check: (values) => ({
      ...nameFaults(values),
      ...removedApp(values, before),
      // A secret without a client ID would not be a valid app.
      ...(status.is_shared_app && hasSecretAlone(values) && { 'credentials.client_id': t('client_missing') }),
      ...configFaults(fields, values, false),
    }),
    async send(values) {
      const credentials = changedApp(setup.app, values, before);
      const config = changedConfig(fields, values, before);
      const key = values['unique_key'] ?? '';
      await client.send('PATCH', path, {
        ...(values['display_name'] !== before['display_name'] && { display_name: (values['display_name'] ?? '').trim() }),
        ...(key !== before['unique_key'] && { unique_key: key }),
        ...(Object.keys(credentials).length > 0 && { credentials }),
        ...(Object.keys(config).length > 0 && { integration_config: config }),
      });
      toast(t('saved'));
      if (key !== before['unique_key']) navigation.replace(pathOf(['e', environment, 'integrations', key, 'settings']));
      resources.invalidate(`api/ui/e/${encodeURIComponent(environment)}/integrations`);
    },
    blamed: takenKey,
  });
  return { form, fields, before };
}

/** Says which connections use a client that has been replaced. */
function FormerClients({ status }: { readonly status: Status }) {
  if (status.former_clients.length === 0) return null;
  const total = status.former_clients.reduce((sum, { connections }) => sum + connections, 0);
  return (
    <Note tone="warn" title={t.count('former', total)}>
      <p>{t('keep_client')}</p>
      <ul class="plain">
        {status.former_clients.map(({ client_id: id, replaced_at: at, connections }) => (
          <li key={`${id} ${at}`}>
            <code>{id ?? t('unnamed_client')}</code>: {t.count('connections', connections)}, {t('replaced')}{' '}
            <RelativeTime at={at} />
          </li>
        ))}
      </ul>
    </Note>
  );
}

function appValues(members: readonly string[], { client }: Status): AppValues {
  const shown: Readonly<Record<string, string | null | undefined>> = {
    client_id: client.client_id,
    scopes: client.scopes,
    app_id: client.app_id,
    app_link: client.app_link,
  };
  return Object.fromEntries(members.map((name) => [`credentials.${name}`, shown[name] ?? '']));
}

function keptSecrets({ client }: Status): KeptSecrets {
  const { secrets_set_at: since } = client;
  return {
    ...(client.has_client_secret && { client_secret: { since: since.client_secret } }),
    ...(client.has_private_key && { private_key: { since: since.private_key } }),
  };
}

function isGiven(values: AppValues, name: string): boolean {
  return (values[`credentials.${name}`] ?? '').trim() !== '';
}

function hasSecretAlone(values: AppValues): boolean {
  return !isGiven(values, 'client_id') && (isGiven(values, 'client_secret') || isGiven(values, 'private_key'));
}

function isChanged(values: AppValues, before: AppValues, name: string): boolean {
  const key = `credentials.${name}`;
  return (before[key] ?? '') !== '' && (values[key] ?? '') !== before[key];
}
