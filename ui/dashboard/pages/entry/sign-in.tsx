import { useEffect } from 'preact/hooks';
import type { ApiError } from '../../../shared/api-error.ts';
import { CheckField, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Note } from '../../components/note.tsx';
import { OidcLink } from '../../components/oidc-link.tsx';
import { useApp } from '../../context.ts';
import { returnPath } from '../../core/router.ts';
import { type FormState, useForm } from '../../hooks/use-form.ts';
import { usePlace } from '../../hooks/use-place.ts';
import { useResource } from '../../hooks/use-resource.ts';
import { ENTRY, type Entry, ME, type Me, type One } from '../../wire.ts';
import { EMAIL } from './email.ts';
import { EntryFrame } from './entry-frame.tsx';
import { t } from './texts.ts';

const MINUTE_S = 60;

/** D1. Leads back to where the session ended. */
export function SignIn() {
  const { client, resources, navigation } = useApp();
  const { query } = usePlace(navigation);
  const entry = useResource<One<Entry>>(ENTRY).value?.data;
  const back = returnPath(query.get('return'), navigation.base);
  const problem = (['oidc_failed', 'oidc_not_anew', 'oidc_refused'] as const).find((one) => one === query.get('problem'));
  // Nobody can sign in before there is an admin.
  useEffect(() => {
    if (entry?.needed) navigation.replace('setup');
  }, [entry?.needed]);
  const form = useForm({
    initial: { email: '', password: '', keep: false },
    check: ({ email, password }) => ({
      ...(!EMAIL.test(email.trim()) && { email: t('email_wrong') }),
      ...(password === '' && { password: t('password_missing') }),
    }),
    async send({ email, password, keep }) {
      const me = await client.send<One<Me>>('POST', 'api/ui/login', { email: email.trim(), password, keep });
      // Nothing that an earlier member has read is this one's.
      resources.clear();
      resources.put(ME, me);
      navigation.go(back);
    },
  });
  return (
    <EntryFrame title={t('sign_in_heading')} isInsecure={entry?.insecure}>
      {query.get('reason') === 'timeout' && <p class="soft">{t('timeout')}</p>}
      {problem !== undefined && <Note tone="bad">{t(problem)}</Note>}
      {entry?.oidc && <OtherSignIn name={entry.oidc.name} isAlone={!entry.password} back={back} />}
      {entry?.password !== false && <PasswordForm form={form} />}
    </EntryFrame>
  );
}

interface OtherSignInProps {
  readonly name: string;
  readonly isAlone: boolean;
  /** Where to go afterwards, below the base. */
  readonly back: string;
}

function OtherSignIn({ name, isAlone, back }: OtherSignInProps) {
  return (
    <>
      <OidcLink name={name} back={back} class="btn big" />
      {!isAlone && <p class="or">{t('or')}</p>}
    </>
  );
}

type SignInValues = { readonly email: string; readonly password: string; readonly keep: boolean };

function PasswordForm({ form }: { readonly form: FormState<SignInValues> }) {
  return (
    <>
      <Form form={form} texts={textsFor(form.error)}>
        <TextField form={form} name="email" label={t('email')} type="email" autocomplete="username" />
        <TextField form={form} name="password" label={t('password')} type="password" autocomplete="current-password" />
        <CheckField form={form} name="keep" label={t('keep')} />
        <button type="submit" class="btn primary big" disabled={form.isSending}>
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

/** Whatever was wrong: who guesses learns nothing of which. */
function textsFor(error: ApiError | undefined): Readonly<Record<string, string>> {
  if (error === undefined) return {};
  if (error.status === 429) {
    return { [error.code]: t.count('locked', Math.ceil((error.retryAfter ?? MINUTE_S) / MINUTE_S)) };
  }
  return error.status === 401 ? { [error.code]: t('sign_in_wrong') } : {};
}
