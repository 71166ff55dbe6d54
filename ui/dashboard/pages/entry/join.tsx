import { useEffect, useState } from 'preact/hooks';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { PasswordHelp, passwordFault } from '../../components/new-password.tsx';
import { useApp } from '../../context.ts';
import { useForm } from '../../hooks/use-form.ts';
import { ME, type Me, type One } from '../../wire.ts';
import { EntryPage } from './entry-page.tsx';
import { textsOfRefusal } from './refusals.ts';
import { t } from './texts.ts';

/** Where a one-time link leads: somebody who was invited, or who has lost the password, chooses one. */
export function Join() {
  const { client, resources, navigation } = useApp();
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token') ?? '');
  useEffect(() => {
    if (token !== '') history.replaceState(history.state, '', location.pathname);
  }, []);
  const form = useForm({
    initial: { name: '', password: '' },
    check: ({ password }) => passwordFault(password),
    async send({ name, password }) {
      const body = { token, password, ...(name.trim() !== '' && { name: name.trim() }) };
      const me = await client.send<One<Me>>('POST', 'api/ui/join', body);
      resources.clear();
      resources.put(ME, me);
      navigation.replace('');
    },
  });
  return (
    <EntryPage title={t('join_heading')}>
      {() => (
        <>
          <p class="soft">{t('join_lead')}</p>
          <Form form={form} texts={textsOfRefusal(form.error, { 401: t('join_over'), 409: t('join_taken') })}>
            <TextField form={form} name="name" label={t('name')} help={t('join_name_help')} autocomplete="name" />
            <TextField
              form={form}
              name="password"
              label={t('join_password')}
              type="password"
              autocomplete="new-password"
              help={<PasswordHelp password={form.values.password} />}
            />
            <button type="submit" class="btn primary big" disabled={form.isSending}>
              {t('join')}
            </button>
          </Form>
        </>
      )}
    </EntryPage>
  );
}
