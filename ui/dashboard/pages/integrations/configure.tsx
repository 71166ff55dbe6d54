import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Logo } from '../../../kit/logo.tsx';
import type { Client } from '../../app/client.ts';
import { useApp, useEnvironment, useMay, useParams } from '../../app/context.ts';
import type { One, Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { useResource } from '../../app/use-resource.ts';
import { Failure } from '../../components/failure.tsx';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { Page } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useForm } from '../../components/use-form.ts';
import { AboutProvider } from './about-provider.tsx';
import { AppFields, ConfigFields } from './app-fields.tsx';
import {
  type AppValues,
  changedApp,
  changedConfig,
  configFaults,
  configFields,
  configKey,
  initialConfig,
  nameFaults,
  needsClient,
  type Provider,
  rareMembers,
  type Setup,
  takenKey,
} from './app-form.ts';
import { authWord } from './authentication.ts';
import { listOf } from './known-scopes.ts';
import { ProofBadge } from './proof-badge.tsx';
import { t } from './texts.ts';
import { ProviderDocs, SetupGuide, WhatYouNeed } from './what-you-need.tsx';

/** The page of a provider, on which an integration of it is created. */
export function Configure() {
  const { name } = useEnvironment();
  const { provider: slug = '' } = useParams();
  const base = `api/ui/e/${encodeURIComponent(name)}/providers/${encodeURIComponent(slug)}`;
  const provider = useResource<One<Provider>>(base);
  const setup = useResource<One<Setup>>(`${base}/setup`);
  const crumbs = [
    { href: pathOf(['e', name, 'integrations']), text: t('heading') },
    { href: pathOf(['e', name, 'integrations', 'new']), text: t('add') },
  ];
  const error = provider.error ?? setup.error;
  const retry = () => {
    provider.reload();
    setup.reload();
  };
  const found = provider.value?.data;
  if (error !== undefined && (found === undefined || setup.value === undefined)) {
    return (
      <Page title={slug} crumbs={crumbs}>
        <Failure error={error} texts={{ not_found: t('no_provider') }} onRetry={retry} />
      </Page>
    );
  }
  if (found === undefined || setup.value === undefined) return <Skeleton rows={6} />;
  return (
    <Page
      title={found.display_name}
      crumbs={crumbs}
      face={<Logo name={found.display_name} url={found.logo_url} size="l" />}
      badge={<ProofBadge proof={found.proof} />}
      lead={
        <span class="about">
          <span>{authWord(found.auth_mode)}</span>
          <ProviderDocs provider={found} />
        </span>
      }
    >
      <CreateForm provider={found} setup={setup.value.data} />
    </Page>
  );
}

interface CreateFormProps {
  readonly provider: Provider;
  readonly setup: Setup;
}

function CreateForm({ provider, setup }: CreateFormProps) {
  const [isShared, setShared] = useState(setup.shared_app !== null);
  return (
    <div class="beside guided">
      <WhatYouNeed provider={provider} setup={setup} isShared={isShared} />
      <MayCreate provider={provider}>
        <NewIntegration provider={provider} setup={setup} isShared={isShared} onShare={setShared} />
      </MayCreate>
      <AboutProvider provider={provider} setup={setup} />
    </div>
  );
}

function MayCreate({ provider, children }: { readonly provider: Provider; readonly children: ComponentChildren }) {
  const { is_production: isProduction } = useEnvironment();
  const mayCreate = useMay('developer');
  if (provider['sandbox'] === true && isProduction) return <p class="soft">{t('no_sandbox')}</p>;
  if (!mayCreate) return <p class="soft">{t('may_not_create')}</p>;
  return <div>{children}</div>;
}

interface NewIntegrationProps extends CreateFormProps {
  readonly isShared: boolean;
  readonly onShare: (isShared: boolean) => void;
}

function NewIntegration({ provider, setup, isShared, onShare }: NewIntegrationProps) {
  const { name: environment } = useEnvironment();
  const { form, fields, checkKey } = useCreation({ provider, setup, isShared });
  const needed = fields.filter(({ optional }) => optional !== true);
  const further = isShared ? [] : fields.filter(({ optional }) => optional === true);
  const rare = isShared || setup.app_need === 'optional' ? [] : rareMembers(provider, setup);
  const usual = setup.app.filter((name) => !rare.includes(name));
  const titles = [t('display_name'), t('id'), ...further.map(({ title }) => title), ...rare.map(() => t('app_private_key'))];
  const names = ['display_name', 'unique_key', ...further.map(configKey), ...rare.map((name) => `credentials.${name}`)];
  const app = <AppFields form={form} provider={provider} members={usual} clientHelp={<OfYourApp provider={provider} />} />;
  return (
    <Form form={form}>
      {setup.shared_app !== null && <AppChoice isShared={isShared} onChange={onShare} scopes={setup.shared_app.scopes} />}
      {!isShared && setup.app_need !== 'optional' && app}
      {!isShared && <ConfigFields form={form} fields={needed} />}
      <Advanced titles={titles} hasFault={names.some((name) => form.faults[name] !== undefined)}>
        <TextField<string> form={form} name="display_name" label={t('display_name')} />
        <TextField<string> form={form} name="unique_key" label={t('id')} help={t('id_help')} isCode onLeave={checkKey} />
        {!isShared && setup.app_need === 'optional' && app}
        {!isShared && <ConfigFields form={form} fields={further} />}
        <AppFields form={form} provider={provider} members={rare} />
      </Advanced>
      <div class="actions">
        <button type="submit" class="btn primary" disabled={form.isSending}>
          {t('create')}
        </button>
        <a class="btn quiet" href={pathOf(['e', environment, 'integrations', 'new'])}>
          {t('back_to_catalogue')}
        </a>
      </div>
    </Form>
  );
}

/** Says where the values of the app are found. */
function OfYourApp({ provider }: { readonly provider: Provider }) {
  return (
    <>
      {t('of_your_app', { name: provider.display_name })} <SetupGuide provider={provider} />
    </>
  );
}

interface AdvancedProps {
  /** The titles of the fields, which are named while they are hidden. */
  readonly titles: readonly string[];
  /** True if one of the fields has a fault, which must not stay hidden. */
  readonly hasFault: boolean;
  readonly children: ComponentChildren;
}

/** The fields that may stay as they are. */
function Advanced({ titles, hasFault, children }: AdvancedProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="advanced" open={isOpen || hasFault} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="go" flips />
        <span class="strong">{t('advanced')}</span>
        <span class="small soft clip">{titles.join(', ')}</span>
      </summary>
      <div class="stack">{children}</div>
    </details>
  );
}

function useCreation({ provider, setup, isShared }: CreateFormProps & { readonly isShared: boolean }) {
  const { client, resources, navigation, toast } = useApp();
  const { name: environment } = useEnvironment();
  const fields = configFields(provider);
  const path = `api/ui/e/${encodeURIComponent(environment)}/integrations`;
  const isClientMissing = (values: AppValues) =>
    !isShared && needsClient(provider) && (values['credentials.client_id'] ?? '').trim() === '';
  const form = useForm<AppValues>({
    initial: {
      display_name: provider.display_name,
      unique_key: setup.unique_key,
      ...Object.fromEntries(setup.app.map((member) => [`credentials.${member}`, ''])),
      ...initialConfig(fields),
    },
    check: (values) => ({
      ...nameFaults(values),
      ...(isClientMissing(values) && { 'credentials.client_id': t('client_missing') }),
      ...(!isShared && configFaults(fields, values, true)),
    }),
    async send(values) {
      const credentials = isShared ? {} : changedApp(setup.app, values, {});
      const config = isShared ? {} : changedConfig(fields, values, {});
      const key = values['unique_key'] ?? '';
      const body = { unique_key: key, provider: provider.name, display_name: (values['display_name'] ?? '').trim() };
      await client.send('POST', isShared ? `${path}/quickstart` : path, {
        ...body,
        ...(Object.keys(credentials).length > 0 && { credentials: { type: provider.auth_mode, ...credentials } }),
        ...(Object.keys(config).length > 0 && { integration_config: config }),
      });
      toast(t('created', { name: body.display_name }));
      navigation.go(pathOf(['e', environment, 'integrations', key, 'settings']));
      // The provider's setup has changed, too: the free ID that it proposed is taken now.
      for (const changed of ['integrations', 'providers']) resources.invalidate(pathOf(['api', 'ui', 'e', environment, changed]));
    },
    blamed: takenKey,
  });
  const checkKey = () => {
    const key = form.values['unique_key'] ?? '';
    // The proposed ID is known to be free.
    if (key !== '' && key !== setup.unique_key)
      void isTaken(client, path, key).then((is) => is && form.blame('unique_key', t('id_taken', { id: key })));
  };
  return { form, fields, checkKey };
}

/** Returns whether an ID is taken; false if the check fails, since creating the integration checks the ID again. */
async function isTaken(client: Client, path: string, key: string): Promise<boolean> {
  try {
    const { data } = await client.read<Reply<'listIntegrations'>>(path);
    return data.some(({ unique_key: one }) => one === key);
  } catch {
    return false;
  }
}

interface AppChoiceProps {
  readonly isShared: boolean;
  readonly onChange: (isShared: boolean) => void;
  readonly scopes: readonly string[];
}

function AppChoice({ isShared, onChange, scopes }: AppChoiceProps) {
  const choices = [
    { value: true, label: t('shared_app'), help: t('shared_app_help', { scopes: listOf(scopes) }) },
    { value: false, label: t('own_app'), help: t('own_app_help') },
  ];
  return (
    <fieldset class="stack tight">
      <legend class="label">{t('app')}</legend>
      {choices.map(({ value, label, help }) => (
        <label class="check" key={label}>
          <input type="radio" name="app" checked={isShared === value} onChange={() => onChange(value)} />
          <span>
            {label}
            <span class="help">{help}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
