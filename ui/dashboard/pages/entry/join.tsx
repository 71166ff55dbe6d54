import { useApp } from '../../app/context.ts';
import type { SignInReply } from '../../app/replies.ts';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { NewPasswordField, passwordFault } from '../../components/new-password.tsx';
import { Note } from '../../components/note.tsx';
import { useForm } from '../../components/use-form.ts';
import { enter } from './enter.ts';
import { ByProvider, EntryPage } from './entry-page.tsx';
import { useLinkToken } from './link-token.ts';
import { textsOfRefusal } from './refusals.ts';
import { t } from './texts.ts';

/**
 * The page to which a one-time link leads: a user who was invited, or has lost the password, chooses a password. While passwords are
 * off, it leads to the identity provider.
 */
export function Join() {
  const { client, resources, navigation } = useApp();
  const token = useLinkToken();
  const form = useForm({
    initial: { name: '', password: '' },
    check: ({ password }) => passwordFault(password),
    async send({ name, password }) {
      const body = { token, password, ...(name.trim() !== '' && { name: name.trim() }) };
      const reply = await client.send<SignInReply>('POST', 'api/ui/join', body);
      resources.clear();
      enter({ resources, navigation }, reply, '');
    },
  });
  // The link is no longer valid, whatever the user enters.
  if (form.error?.status === 401) return <Over />;
  return (
    <EntryPage
      wordsOf={(entry) =>
        entry?.password === false
          ? { title: t('sign_in_heading') }
          : { title: t('join_heading'), lead: t('join_lead'), refusal: t('insecure_join') }
      }
    >
      {(entry) =>
        entry.password ? (
          <Form form={form} texts={textsOfRefusal(form.error, { 409: t('join_taken') })}>
            <TextField form={form} name="name" label={t('name')} isOptional help={t('join_name_help')} autocomplete="name" />
            <NewPasswordField form={form} label={t('join_password')} />
            <button type="submit" class="btn primary big" disabled={form.isSending || entry.insecure}>
              {t('join')}
            </button>
          </Form>
        ) : (
          <ByProvider entry={entry} back="" />
        )
      }
    </EntryPage>
  );
}

function Over() {
  return (
    <EntryPage wordsOf={() => ({ title: t('join_over_heading') })}>
      {() => (
        <>
          <Note tone="bad">{t('join_over')}</Note>
          <p class="soft">{t('join_over_used')}</p>
          <a class="btn primary big" href="login">
            {t('sign_in')}
          </a>
        </>
      )}
    </EntryPage>
  );
}
