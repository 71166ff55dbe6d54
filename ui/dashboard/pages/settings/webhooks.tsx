import { Card } from '../../components/card.tsx';
import { Failure } from '../../components/failure.tsx';
import { CheckField, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { useApp, useEnvironment, useMay } from '../../context.ts';
import { pathOf } from '../../core/router.ts';
import { useAction } from '../../hooks/use-action.ts';
import { useForm } from '../../hooks/use-form.ts';
import type { Reply } from '../../wire.ts';
import { Messages } from './messages.tsx';
import { LoadedSettings, type Settings, SettingsPage, useEnvironmentPath } from './settings-page.tsx';
import { SigningKey } from './signing-key.tsx';
import { t } from './texts.ts';

/** Where the application hears of what happens, and what was sent there. */
export function Webhooks() {
  const mayChange = useMay('developer');
  return (
    <SettingsPage>
      <div class="stack">
        {mayChange && <LoadedSettings>{(settings) => <Targets {...settings} />}</LoadedSettings>}
        {mayChange && <SigningKey />}
        {mayChange && <TestMessage />}
        <Messages />
      </div>
    </SettingsPage>
  );
}

function Targets(settings: Settings) {
  const { client, resources, toast } = useApp();
  const path = useEnvironmentPath();
  const { name } = useEnvironment();
  const form = useForm({
    initial: valuesOf(settings),
    async send({ webhook_url: url, webhook_url_secondary: second, ...toggles }) {
      const urls = { webhook_url: url.trim() || null, webhook_url_secondary: second.trim() || null };
      const { data } = await client.send<Reply<'changeSettings'>>('PATCH', `${path}/settings`, { ...urls, ...toggles });
      resources.invalidate(path);
      form.reset(valuesOf(data));
      toast(t('saved'));
    },
  });
  return (
    <div class="narrow">
      <Card title={t('webhook_targets')}>
        <Form form={form}>
          <TextField form={form} name="webhook_url" label={t('webhook_url')} isCode help={t('webhook_url_help')} />
          <TextField form={form} name="webhook_url_secondary" label={t('webhook_url_secondary')} isCode isOptional />
          <CheckField form={form} name="on_new_connection" label={t('on_new_connection')} />
          <CheckField form={form} name="on_refresh" label={t('on_refresh')} />
          <CheckField form={form} name="on_deletion" label={t('on_deletion')} />
          <div class="actions">
            <button type="submit" class="btn primary" disabled={form.isSending || !form.isChanged}>
              {t('save')}
            </button>
            {settings.inbox_url !== null && (
              <a class="btn quiet" href={pathOf(['e', name, 'inbox'])}>
                {t('show_inbox')}
              </a>
            )}
          </div>
        </Form>
      </Card>
    </div>
  );
}

function TestMessage() {
  const { client, resources, toast } = useApp();
  const path = useEnvironmentPath();
  const { run, isRunning, error } = useAction(async () => {
    await client.send('POST', `${path}/webhook-messages/test`, { type: 'auth' });
    resources.invalidate(`${path}/webhook-messages`);
    toast(t('test_sent'));
  });
  return (
    <>
      {error && <Failure error={error} />}
      <div class="actions">
        <button type="button" class="btn" disabled={isRunning} onClick={() => void run()}>
          {t('send_test')}
        </button>
      </div>
    </>
  );
}

function valuesOf(settings: Settings) {
  return {
    webhook_url: settings.webhook_url ?? '',
    webhook_url_secondary: settings.webhook_url_secondary ?? '',
    on_new_connection: settings.on_new_connection,
    on_refresh: settings.on_refresh,
    on_deletion: settings.on_deletion,
  };
}
