import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { CodeBlock } from '../../components/code-block.tsx';
import { Failure } from '../../components/failure.tsx';
import { Icon } from '../../components/icon.tsx';
import { Page } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useApp, useEnvironment, useMay, useMe } from '../../context.ts';
import { useAction } from '../../hooks/use-action.ts';
import { useResource } from '../../hooks/use-resource.ts';
import type { Reply } from '../../wire.ts';
import { SNIPPETS, type SnippetName, type SnippetValues } from './snippets.ts';
import { t } from './texts.ts';

type Onboarding = Reply<'getOnboarding'>['data'];

const LOOK_EVERY_MS = 3_000;
const SANDBOX = { unique_key: 'sandbox', provider: 'sandbox-oauth2' };

/** D2. Each step ticks itself by what there is in the environment. */
export function QuickStart() {
  const { name } = useEnvironment();
  const { value, error, reload } = useResource<{ readonly data: Onboarding }>(`api/ui/e/${name}/onboarding`);
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && reload(), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [name]);
  if (value === undefined)
    return <Page title={t('heading')}>{error ? <Failure error={error} onRetry={reload} /> : <Skeleton rows={5} />}</Page>;
  const { data } = value;
  const done = [data.has_api_key, data.integration, data.connection, data.webhook, data.has_proxied].filter(Boolean).length;
  return (
    <Page title={t('heading')} lead={t('progress', { done: String(done) })}>
      <ol class="steps">
        <Step title={t('key')} hint={t('key_hint')} isDone={data.has_api_key} />
        <IntegrationStep integration={data.integration} />
        <ConnectionStep {...data} />
        <WebhookStep webhook={data.webhook} />
        <ProxyStep {...data} />
      </ol>
    </Page>
  );
}

interface StepProps {
  readonly title: string;
  readonly hint: string;
  readonly isDone: boolean;
  readonly children?: ComponentChildren;
}

function Step({ title, hint, isDone, children }: StepProps) {
  return (
    <li class={isDone ? 'card step done' : 'card step'}>
      <span class="mark">
        {isDone && <Icon name="tick" />}
        <span class="sr">{t(isDone ? 'done' : 'open')}</span>
      </span>
      <div class="grow">
        <h2>{title}</h2>
        <p class="soft">{hint}</p>
        {children}
      </div>
    </li>
  );
}

function IntegrationStep({ integration }: Pick<Onboarding, 'integration'>) {
  const { name, is_production: isProduction } = useEnvironment();
  const { client, resources } = useApp();
  const { run, isRunning, error } = useAction(async () => {
    await client.send('POST', `api/ui/e/${name}/integrations`, SANDBOX);
    resources.invalidate(`api/ui/e/${name}/`);
  });
  const isOpen = useMay('developer') && integration === null;
  return (
    <Step title={t('integration')} hint={t('integration_hint')} isDone={integration !== null}>
      {error && <Failure error={error} />}
      {isOpen && isProduction && <p class="soft">{t('no_sandbox')}</p>}
      {isOpen && !isProduction && (
        <button type="button" class="btn primary" disabled={isRunning} onClick={() => void run()}>
          {t('use_sandbox')}
        </button>
      )}
    </Step>
  );
}

function ConnectionStep({ integration, connection }: Onboarding) {
  const { name } = useEnvironment();
  const { client, toast } = useApp();
  const { run, isRunning, error } = useAction(async () => {
    const body = { allowed_integrations: [integration], tags: { end_user_id: 'test-user', end_user_display_name: 'Test user' } };
    const { data } = await client.send<Reply<'createConnectSession'>>('POST', `api/ui/e/${name}/connect/sessions`, body);
    window.open(data.connect_link, '_blank', 'noopener');
    toast(t('connect_opened'));
  });
  const mayConnect = useMay('developer') && integration !== null;
  return (
    <Step title={t('connection')} hint={t('connection_hint')} isDone={connection !== null}>
      {error && <Failure error={error} />}
      {mayConnect && (
        <button type="button" class={connection === null ? 'btn primary' : 'btn'} disabled={isRunning} onClick={() => void run()}>
          {t('connect')}
        </button>
      )}
      {integration !== null && <Snippet name="session" values={{ integration, connectionId: '' }} />}
    </Step>
  );
}

function WebhookStep({ webhook }: Pick<Onboarding, 'webhook'>) {
  const { name, is_production: isProduction } = useEnvironment();
  const { client, resources, toast } = useApp();
  const { run, isRunning, error } = useAction(async () => {
    await client.send('PATCH', `api/ui/e/${name}/settings`, { webhook_url: 'inbox', on_new_connection: true });
    resources.invalidate(`api/ui/e/${name}/settings`);
    toast(t('inbox_used'));
  });
  const isOpen = useMay('developer') && !isProduction && webhook === null;
  return (
    <Step title={t('webhook')} hint={t('webhook_hint')} isDone={webhook !== null}>
      {error && <Failure error={error} />}
      {webhook && <p>{t('webhook_received', { type: webhook.type, status: webhook.status })}</p>}
      {isOpen && (
        <button type="button" class="btn" disabled={isRunning} onClick={() => void run()}>
          {t('use_inbox')}
        </button>
      )}
    </Step>
  );
}

function ProxyStep({ connection, has_proxied: hasProxied }: Onboarding) {
  return (
    <Step title={t('proxy')} hint={t('proxy_hint')} isDone={hasProxied}>
      {connection && (
        <Snippet name="proxy" values={{ integration: connection.provider_config_key, connectionId: connection.connection_id }} />
      )}
    </Step>
  );
}

function Snippet({ name, values }: { readonly name: SnippetName; readonly values: Omit<SnippetValues, 'baseUrl'> }) {
  const filled = { ...values, baseUrl: useMe().base_url };
  const { curl, node } = SNIPPETS[name];
  return <CodeBlock label={t('copy_snippet')} snippets={{ curl: curl(filled), 'Node fetch': node(filled) }} />;
}
