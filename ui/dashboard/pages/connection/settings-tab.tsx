import { useState } from 'preact/hooks';
import { Card } from '../../components/card.tsx';
import { DestructiveDialog } from '../../components/destructive-dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { useApp, useMay } from '../../context.ts';
import { pathOf } from '../../core/router.ts';
import { useForm } from '../../hooks/use-form.ts';
import { apiPath, changedPath, type Found, nameOf } from './shown-connection.ts';
import { t } from './texts.ts';

export function SettingsTab(found: Found) {
  const { client, resources, navigation, toast } = useApp();
  const mayChange = useMay('developer');
  const [isAsking, setAsking] = useState(false);
  const { address } = found;
  const name = nameOf(found);
  const remove = async () => {
    await client.send('DELETE', apiPath(address));
    navigation.go(pathOf(['e', address.environment, 'connections']));
    resources.invalidate(changedPath(address.environment));
    toast(t('deleted', { name }));
  };
  return (
    <div class="stack narrow">
      {mayChange && <OwnWebhookUrl {...found} />}
      <Card title={t('delete')}>
        <p>{t('delete_consequence')}</p>
        {mayChange && (
          <div class="actions spaced">
            <button type="button" class="btn danger" onClick={() => setAsking(true)}>
              {t('delete')}
            </button>
          </div>
        )}
      </Card>
      {isAsking && (
        <DestructiveDialog
          title={t('delete_heading', { name })}
          consequence={t('delete_consequence')}
          verb={t('delete')}
          name={address.id}
          act={remove}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

function OwnWebhookUrl({ address, status }: Found) {
  const { client, resources, toast } = useApp();
  const form = useForm({
    initial: { webhook_url_override: status.webhook_url_override ?? '' },
    async send({ webhook_url_override: url }) {
      const sent = { webhook_url_override: url.trim() };
      await client.send('PATCH', apiPath(address), sent);
      form.reset(sent);
      resources.invalidate(changedPath(address.environment));
      toast(t('saved'));
    },
  });
  return (
    <Card title={t('webhooks')}>
      <Form form={form}>
        <TextField
          form={form}
          name="webhook_url_override"
          label={t('webhook_url')}
          isCode
          isOptional
          help={t('webhook_url_help')}
        />
        <div class="actions">
          <button type="submit" class="btn primary" disabled={form.isSending || !form.isChanged}>
            {t('save')}
          </button>
        </div>
      </Form>
    </Card>
  );
}
