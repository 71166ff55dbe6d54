import { useEffect, useState } from 'preact/hooks';
import { Empty } from '../../components/empty.tsx';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { PasswordHelp, passwordFault } from '../../components/new-password.tsx';
import { useApp } from '../../context.ts';
import { useForm } from '../../hooks/use-form.ts';
import { ENTRY, ME, type Me, type One } from '../../wire.ts';
import { EMAIL } from './email.ts';
import { ByProvider, EntryPage } from './entry-page.tsx';
import { textsOfRefusal } from './refusals.ts';
import { t } from './texts.ts';

/** D0. The fragment holds the token of a setup link: it reaches no log and no other site. */
export function Setup() {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token') ?? '');
  useEffect(() => {
    if (token !== '') history.replaceState(history.state, '', location.pathname);
  }, []);
  return (
    <EntryPage title={t('setup_heading')}>
      {(entry) => {
        // The link may be for another account than the first, whose admin is there.
        if (!entry.needed && !(entry.has_setup_link && token !== '')) return <AlreadySetUp />;
        return (
          <>
            <p class="soft">{t('setup_lead')}</p>
            {entry.needed && <ByProvider entry={entry} back="" />}
            {entry.password && <SetupForm token={token} />}
          </>
        );
      }}
    </EntryPage>
  );
}

function AlreadySetUp() {
  return (
    <Empty title={t('already_set_up')}>
      <a class="btn primary" href="login">
        {t('go_sign_in')}
      </a>
    </Empty>
  );
}

function SetupForm({ token }: { readonly token: string }) {
  const { client, resources, navigation } = useApp();
  const form = useForm({
    initial: { token, name: '', email: '', password: '' },
    check: (values) => ({
      ...(values.token.trim() === '' && { token: t('token_missing') }),
      ...(values.name.trim() === '' && { name: t('name_missing') }),
      ...(!EMAIL.test(values.email.trim()) && { email: t('email_wrong') }),
      ...passwordFault(values.password),
    }),
    async send({ token: given, name, email, password }) {
      const body = { token: given.trim(), name: name.trim(), email: email.trim(), password };
      resources.put(ME, await client.send<One<Me>>('POST', ENTRY, body));
      navigation.replace('');
    },
  });
  return (
    <Form form={form} texts={textsOfRefusal(form.error, { 401: t('wrong_token'), 409: t('already_set_up') })}>
      {token === '' && <TextField form={form} name="token" label={t('token')} help={t('token_help')} isCode />}
      <TextField form={form} name="name" label={t('name')} autocomplete="name" />
      <TextField form={form} name="email" label={t('email')} type="email" autocomplete="username" />
      <TextField
        form={form}
        name="password"
        label={t('password')}
        type="password"
        autocomplete="new-password"
        help={<PasswordHelp password={form.values.password} />}
      />
      <button type="submit" class="btn primary big" disabled={form.isSending}>
        {t('create')}
      </button>
    </Form>
  );
}
