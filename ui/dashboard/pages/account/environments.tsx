import { useState } from 'preact/hooks';
import { useApp, useMe } from '../../app/context.ts';
import { ME, type Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { environmentNameFault } from '../../components/environment-name.ts';
import { CheckField, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { FormButton } from '../../components/form-button.tsx';
import { ENVIRONMENT_PLANE } from '../../components/keys/plane.ts';
import { ShownOnce } from '../../components/keys/shown-once.tsx';
import { useForm } from '../../components/use-form.ts';
import { AdminPage } from './account-page.tsx';
import { t } from './texts.ts';

const INITIAL = { name: '', callback_url: '', is_production: false };

type Made = Reply<'addEnvironment'>['data'];

/** The environments of the account. */
export function Environments() {
  return <AdminPage>{() => <AllEnvironments />}</AdminPage>;
}

function AllEnvironments() {
  const { environments } = useMe();
  const [made, setMade] = useState<Made | undefined>();
  return (
    <div class="narrow stack">
      <Card
        title={t('environments')}
        isFlush
        aside={
          <FormButton label={t('add_environment')}>{(close) => <AddEnvironment onMade={setMade} onClose={close} />}</FormButton>
        }
      >
        <ul class="rows">
          {environments.map(({ name, is_production: isProduction }) => (
            <li key={name} class="line-up">
              <a class="strong" href={pathOf(['e', name, 'settings'])}>
                {name}
              </a>
              {isProduction && <Badge tone="warn">{t('production')}</Badge>}
            </li>
          ))}
        </ul>
      </Card>
      {made && (
        <ShownOnce
          variable={ENVIRONMENT_PLANE.variable}
          name={t('key_of', { name: made.name })}
          secret={made.api_key}
          onDone={() => setMade(undefined)}
        />
      )}
    </div>
  );
}

interface AddEnvironmentProps {
  readonly onMade: (made: Made) => void;
  readonly onClose: () => void;
}

function AddEnvironment({ onMade, onClose }: AddEnvironmentProps) {
  const { client, resources } = useApp();
  const form = useForm({
    initial: INITIAL,
    check({ name }): { name?: string } {
      const fault = environmentNameFault(name.trim());
      return fault === undefined ? {} : { name: fault };
    },
    async send({ callback_url, name, ...values }) {
      const body = { ...values, name: name.trim(), ...(callback_url.trim() !== '' && { callback_url: callback_url.trim() }) };
      const { data } = await client.send<Reply<'addEnvironment'>>('POST', 'api/ui/environments', body);
      resources.invalidate(ME);
      onClose();
      onMade(data);
    },
  });
  return (
    <Form form={form} texts={{ conflict: t('name_taken') }}>
      <TextField form={form} name="name" label={t('name')} isCode help={t('environment_name_help')} />
      <TextField form={form} name="callback_url" label={t('callback_url')} isCode isOptional help={t('callback_help')} />
      <CheckField form={form} name="is_production" label={t('production')} help={t('production_help')} />
      <DialogActions submit={t('add_environment')} isSending={form.isSending} onCancel={onClose} />
    </Form>
  );
}
