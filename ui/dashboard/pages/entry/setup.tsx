import { useState } from 'preact/hooks';
import { useApp } from '../../app/context.ts';
import { ENTRY, type Entry, ME, type Me, type One } from '../../app/replies.ts';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { NewPasswordField, passwordFault } from '../../components/new-password.tsx';
import { useForm } from '../../components/use-form.ts';
import { EMAIL } from './email.ts';
import { ByProvider, EntryPage } from './entry-page.tsx';
import { useLinkToken } from './link-token.ts';
import { t } from './texts.ts';

/** The page that creates an admin. */
export function Setup() {
  const token = useLinkToken();
  // If no setup is needed, the first account has an admin, but the link may be for another account.
  const isDone = (entry: Entry) => !entry.needed && !(entry.has_setup_link && token !== '');
  return (
    <EntryPage
      wordsOf={(entry) =>
        entry !== undefined && isDone(entry)
          ? { title: t('set_up_heading'), lead: t('set_up_lead') }
          : { title: t('setup_heading'), lead: t('setup_lead'), refusal: t('insecure_setup') }
      }
    >
      {(entry) =>
        isDone(entry) ? (
          <a class="btn primary big" href="login">
            {t('sign_in')}
          </a>
        ) : (
          <>
            {entry.needed && <ByProvider entry={entry} back="" />}
            {entry.password && <SetupForm key={token} token={token} isRefused={entry.insecure} />}
          </>
        )
      }
    </EntryPage>
  );
}

interface SetupFormProps {
  /** The token of the setup link; empty when there was none. */
  readonly token: string;
  readonly isRefused: boolean;
}

function SetupForm({ token, isRefused }: SetupFormProps) {
  const { client, resources, navigation } = useApp();
  const [isByLink, setByLink] = useState(token !== '');
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
    blamed({ code }): { token?: string } {
      if (code !== 'invalid_login') return {};
      // A user with an old link must be able to enter another token.
      setByLink(false);
      return { token: t('wrong_token') };
    },
  });
  return (
    <Form form={form}>
      {!isByLink && <TextField form={form} name="token" label={t('token')} help={t('token_help')} isCode />}
      <TextField form={form} name="name" label={t('name')} autocomplete="name" />
      <TextField form={form} name="email" label={t('email')} type="email" autocomplete="username" />
      <NewPasswordField form={form} label={t('password')} />
      <button type="submit" class="btn primary big" disabled={form.isSending || isRefused}>
        {t('create')}
      </button>
    </Form>
  );
}
