import { useApp, useEnvironmentPath } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { Card } from '../../components/card.tsx';
import { CheckField, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import type { Settings } from '../../components/loaded-settings.tsx';
import { useForm } from '../../components/use-form.ts';
import { t } from './texts.ts';

/** The settings that say which events send webhooks; those of providers are forwarded whatever they say. */
export const TOGGLES = ['on_new_connection', 'on_refresh', 'on_deletion'] as const;

/** The form of the webhook targets, and of the events for which webhooks are sent. */
export function Targets(settings: Settings) {
  const { client, resources, toast } = useApp();
  const path = useEnvironmentPath();
  const form = useForm({
    initial: valuesOf(settings),
    async send(_, { webhook_url: url, webhook_url_secondary: second, ...toggles }) {
      const changes = {
        ...(url !== undefined && { webhook_url: url.trim() || null }),
        ...(second !== undefined && { webhook_url_secondary: second.trim() || null }),
        ...toggles,
      };
      const { data } = await client.send<Reply<'changeSettings'>>('PATCH', `${path}/settings`, changes);
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
          <fieldset class="stack tight">
            <legend class="label">{t('sent_when')}</legend>
            {TOGGLES.map((toggle) => (
              <CheckField key={toggle} form={form} name={toggle} label={t(toggle)} />
            ))}
            <p class="help">{t('forwarded_too')}</p>
          </fieldset>
          <div class="actions">
            <button type="submit" class="btn primary" disabled={form.isSending || !form.isChanged}>
              {t('save')}
            </button>
          </div>
        </Form>
      </Card>
    </div>
  );
}

/** The webhook targets, for members who may not change them. */
export function StoredTargets(settings: Settings) {
  const sent = TOGGLES.filter((toggle) => settings[toggle]).map((toggle) => <li key={toggle}>{t(toggle)}</li>);
  return (
    <div class="narrow">
      <Card title={t('webhook_targets')}>
        <KeyValues
          rows={{
            [t('webhook_url')]: settings.webhook_url ?? '–',
            [t('webhook_url_secondary')]: settings.webhook_url_secondary ?? '–',
            [t('sent_when')]: (
              <ul>
                {sent}
                <li>{t('sent_when_forwarded')}</li>
              </ul>
            ),
          }}
        />
      </Card>
    </div>
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
