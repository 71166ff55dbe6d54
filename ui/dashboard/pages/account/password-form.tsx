import { useApp } from '../../app/context.ts';
import { ME } from '../../app/replies.ts';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { NewPasswordField, passwordFault } from '../../components/new-password.tsx';
import { useForm } from '../../components/use-form.ts';
import { t } from './texts.ts';

const INITIAL = { current: '', password: '' };

/** The form that changes the member's own password. */
export function PasswordForm() {
  const { client, resources, toast } = useApp();
  const form = useForm({
    initial: INITIAL,
    check: ({ current, password }) => ({
      ...(current === '' && { current: t('current_missing') }),
      ...passwordFault(password),
    }),
    async send(values) {
      await client.send('PUT', 'api/ui/me/password', values);
      resources.invalidate(ME);
      form.reset(INITIAL);
      toast(t('changed'));
    },
    blamed: ({ code }): { current?: string } => (code === 'invalid_login' ? { current: t('current_wrong') } : {}),
  });
  return (
    <div class="narrow">
      <Form form={form}>
        <TextField form={form} name="current" label={t('current')} type="password" autocomplete="current-password" />
        <NewPasswordField form={form} label={t('new_password')} />
        <div class="actions">
          <button type="submit" class="btn primary" disabled={form.isSending}>
            {t('change')}
          </button>
        </div>
      </Form>
    </div>
  );
}
