import { useApp, useMay } from '../../app/context.ts';
import { Card } from '../../components/card.tsx';
import { DeleteCard } from '../../components/delete-card.tsx';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { useForm } from '../../components/use-form.ts';
import { DeleteConnection } from './delete-connection.tsx';
import { apiPath, changedPath, type Found } from './shown-connection.ts';
import { t } from './texts.ts';

export function SettingsTab(found: Found) {
  const mayChange = useMay('developer');
  return (
    <div class="stack narrow">
      {mayChange && <OwnWebhookUrl {...found} />}
      <DeleteCard
        verb={t('delete')}
        consequence={t('delete_consequence')}
        mayDelete={mayChange}
        dialog={(close) => <DeleteConnection {...found} onClose={close} />}
      />
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
