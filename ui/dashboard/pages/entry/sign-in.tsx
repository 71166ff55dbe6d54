import { useEffect } from 'preact/hooks';
import { useApp } from '../../app/context.ts';
import type { Entry, SignInReply } from '../../app/replies.ts';
import { returnPath } from '../../app/router.ts';
import { usePlace } from '../../app/use-place.ts';
import { CheckField, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Note } from '../../components/note.tsx';
import { useForm } from '../../components/use-form.ts';
import { EMAIL } from './email.ts';
import { enter } from './enter.ts';
import { ByProvider, EntryPage } from './entry-page.tsx';
import { textsOfRefusal } from './refusals.ts';
import { t } from './texts.ts';

/** The sign-in page. It leads back to the page on which the session ended. */
export function SignIn() {
  const { query } = usePlace();
  const problem = (['oidc_failed', 'oidc_not_anew', 'oidc_refused'] as const).find((one) => one === query.get('problem'));
  return (
    <EntryPage wordsOf={(entry) => ({ title: t('sign_in_heading'), lead: leadOf(entry), refusal: t('insecure_sign_in') })}>
      {(entry) => (
        <>
          {query.get('reason') === 'ended' && <p class="soft">{t('ended')}</p>}
          {problem !== undefined && <Note tone="bad">{t(problem)}</Note>}
          <WaysIn entry={entry} />
        </>
      )}
    </EntryPage>
  );
}

function leadOf(entry: Entry | undefined): string | undefined {
  if (!entry?.needed || entry.oidc === null) return undefined;
  return t(entry.password ? 'first_lead' : 'first_only_lead', { name: entry.oidc.name });
}

/**
 * The ways to sign in. Leads to the setup if there is no admin yet, and no identity provider to sign in with: then nobody has a
 * password.
 */
function WaysIn({ entry }: { readonly entry: Entry }) {
  const { navigation } = useApp();
  const back = returnPath(navigation.place.query.get('return'), navigation.base);
  const isForSetup = entry.needed && entry.oidc === null;
  useEffect(() => {
    if (isForSetup) navigation.replace('setup');
  }, [isForSetup]);
  if (isForSetup) return null;
  return (
    <>
      <ByProvider entry={entry} back={back} />
      {entry.password && (entry.needed ? <ToSetup /> : <PasswordForm back={back} isRefused={entry.insecure} />)}
    </>
  );
}

function ToSetup() {
  return (
    <a class="btn primary big" href="setup">
      {t('go_setup')}
    </a>
  );
}

function PasswordForm({ back, isRefused }: { readonly back: string; readonly isRefused: boolean }) {
  const { client, resources, navigation } = useApp();
  const form = useForm({
    initial: { email: '', password: '', keep: false },
    check: ({ email, password }) => ({
      ...(!EMAIL.test(email.trim()) && { email: t('email_wrong') }),
      ...(password === '' && { password: t('password_missing') }),
    }),
    async send({ email, password, keep }) {
      const reply = await client.send<SignInReply>('POST', 'api/ui/login', { email: email.trim(), password, keep });
      // This member must not see data that an earlier member has loaded.
      resources.clear();
      enter({ resources, navigation }, reply, back);
    },
  });
  return (
    <>
      <Form form={form} texts={textsOfRefusal(form.error, { 401: t('sign_in_wrong') })}>
        <TextField form={form} name="email" label={t('email')} type="email" autocomplete="username" />
        <TextField form={form} name="password" label={t('password')} type="password" autocomplete="current-password" />
        <CheckField form={form} name="keep" label={t('keep')} />
        <button type="submit" class="btn primary big" disabled={form.isSending || isRefused}>
          {t('sign_in')}
        </button>
      </Form>
      <details class="forgot">
        <summary>{t('forgot')}</summary>
        <p>{t('forgot_hint')}</p>
        <p>
          <code>{t('forgot_command')}</code>
        </p>
      </details>
    </>
  );
}
