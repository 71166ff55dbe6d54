import { useState } from 'preact/hooks';
import { useApp, useEnvironment, useMay } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { useResource } from '../../app/use-resource.ts';
import { Card } from '../../components/card.tsx';
import { Copyable } from '../../components/copy-button.tsx';
import { DestructiveDialog } from '../../components/destructive-dialog.tsx';
import { Failure } from '../../components/failure.tsx';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { useAction } from '../../components/use-action.ts';
import { type FormState, useForm } from '../../components/use-form.ts';
import { AddressChecks } from './address-checks.tsx';
import type { Setup } from './app-form.ts';
import { KeptSecret, SecretSet } from './kept-secret.tsx';
import { ReceivedWebhooks } from './received-webhooks.tsx';
import type { Status, TabProps } from './shown-integration.ts';
import { t } from './texts.ts';
import { WebhookMatching } from './webhook-matching.tsx';

/** The tab about deliveries: the URL for them, how they are verified, and whether the application receives them. */
export function WebhooksTab({ path, integration, status, setup }: TabProps) {
  const { client, resources, toast } = useApp();
  const { name: environment } = useEnvironment();
  const mayChange = useMay('developer');
  const change = async (body: object) => {
    await client.send('PATCH', path, body);
    resources.invalidate(`api/ui/e/${encodeURIComponent(environment)}/integrations`);
    toast(t('saved'));
  };
  const forward = useAction(() => change({ forward_webhooks: !integration.forward_webhooks }));
  return (
    <div class="stack narrow">
      <Card title={t('webhook_url')}>
        <div class="stack tight">
          {mayChange && <p class="soft">{t('webhook_url_help')}</p>}
          <Copyable text={integration.webhook_url ?? ''} what={t('webhook_url')} />
          <AddressChecks checks={status.webhook_address} />
        </div>
      </Card>
      <Card title={t('forwarding')}>
        {forward.error && <Failure error={forward.error} />}
        <label class="check">
          <input
            type="checkbox"
            class="switch"
            role="switch"
            checked={integration.forward_webhooks}
            aria-checked={integration.forward_webhooks}
            disabled={!mayChange || forward.isRunning}
            onChange={() => void forward.run()}
          />
          <span>
            {t('forward')}
            <span class="help">{t('forward_help')}</span>
          </span>
        </label>
        <NoUrl />
      </Card>
      <SecretCard client={status.client} keys={setup.webhook_keys} name={integration.unique_key} change={change} />
      <WebhookMatching clauses={setup.webhook_matching} />
      <ReceivedWebhooks path={path} integration={integration.unique_key} />
    </div>
  );
}

/** Says that nothing can be forwarded, since the environment has no webhook URL. */
function NoUrl() {
  const { name } = useEnvironment();
  const settings = useResource<Reply<'getSettings'>>(`api/ui/e/${encodeURIComponent(name)}/settings`).value?.data;
  if (settings === undefined || settings.webhook_url !== null || settings.webhook_url_secondary !== null) return null;
  return (
    <p class="soft">
      {t('forward_nowhere')} <a href={pathOf(['e', name, 'webhooks', 'endpoints'])}>{t('forward_set_url')}</a>
    </p>
  );
}

type Secret = Readonly<Record<'credentials.webhook_secret', string>>;

interface SecretCardProps {
  readonly client: Status['client'];
  /** With what the signatures of webhooks are verified. */
  readonly keys: Setup['webhook_keys'];
  /** The name of the integration; in production the user has to type it. */
  readonly name: string;
  /** Changes the integration. */
  readonly change: (body: object) => Promise<void>;
}

function SecretCard({ client, keys, name, change }: SecretCardProps) {
  const { has_webhook_secret: isSet } = client;
  const { webhook_secret: since } = client.secrets_set_at;
  const mayChange = useMay('developer');
  const form = useForm<Secret>({
    initial: { 'credentials.webhook_secret': '' },
    check: (values) => (values['credentials.webhook_secret'] === '' ? { 'credentials.webhook_secret': t('secret_missing') } : {}),
    send: (values) => change({ credentials: { webhook_secret: values['credentials.webhook_secret'] } }),
  });
  const [isAsking, setAsking] = useState(false);
  return (
    <Card title={t('webhook_secret')}>
      <Form form={form}>
        <p class="soft">{purposeOf(keys, isSet)}</p>
        {!mayChange && isSet && (
          <p>
            <SecretSet since={since} />
          </p>
        )}
        {mayChange && isSet && (
          <KeptSecret
            label={t('webhook_secret')}
            since={since}
            also={
              <button type="button" class="btn danger" onClick={() => setAsking(true)}>
                {t('remove_secret')}
              </button>
            }
          >
            <NewSecret form={form} help={isVerifying(keys) ? t('webhook_secret_help') : undefined} />
          </KeptSecret>
        )}
        {mayChange && !isSet && <NewSecret form={form} />}
      </Form>
      {isAsking && (
        <DestructiveDialog
          title={t('remove_heading')}
          consequence={t('remove_consequence')}
          verb={t('remove_secret')}
          name={name}
          act={() => change({ credentials: { webhook_secret: '' } })}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  );
}

/** Returns whether the webhook secret may verify webhooks. What a plugin reads from the integration may be this secret. */
function isVerifying(keys: Setup['webhook_keys']): boolean {
  return keys.includes('webhook_secret') || keys.includes('integration');
}

/** Says what the webhook secret is for, if it is used at all. */
function purposeOf(keys: Setup['webhook_keys'], isSet: boolean): string {
  if (keys.every((key) => key === 'none')) return t('webhook_secret_useless');
  const others = keys.flatMap((key) => (key === 'webhook_secret' ? [] : [t(`key_${key}`)])).join(' or ');
  if (!isVerifying(keys)) return t('webhook_secret_unused', { what: others });
  if (!isSet) return t('webhook_secret_unset');
  return others === '' ? t('webhook_secret_set') : t('webhook_secret_some', { others });
}

function NewSecret({ form, help }: { readonly form: FormState<Secret>; readonly help?: string | undefined }) {
  return (
    <>
      <TextField
        form={form}
        name="credentials.webhook_secret"
        label={t('webhook_secret')}
        type="password"
        autocomplete="new-password"
        help={help}
        isCode
      />
      <div class="actions">
        <button type="submit" class="btn" disabled={form.isSending || !form.isChanged}>
          {t('save')}
        </button>
      </div>
    </>
  );
}
