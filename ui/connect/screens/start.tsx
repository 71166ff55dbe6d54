import { Fields } from '../../kit/fields/fields.tsx';
import { httpsOnly } from '../../kit/link.ts';
import { Logo } from '../../kit/logo.tsx';
import type { ConnectForm } from '../../kit/wire.ts';
import { useWindow } from '../context.ts';
import { FailureNote } from '../failure-note.tsx';
import type { Screen } from '../flow/state.ts';
import { End, Heading } from '../frame.tsx';
import { Hero } from '../hero.tsx';
import { Icon } from '../icon.tsx';
import { ForWhom, Lead, LinkFacts, wordsFor } from '../whom.tsx';

type StartScreen = Extract<Screen, { at: 'start' }>;

/** The screen before an attempt: the form or, if it has no fields, the site where the user will sign in. */
export function Start({ screen }: { readonly screen: StartScreen }) {
  return screen.form.fields.length > 0 ? <FormStart screen={screen} /> : <PlainStart screen={screen} />;
}

function FormStart({ screen }: { readonly screen: StartScreen }) {
  const { window, t } = useWindow();
  const { form, faults, failure, isChecking, attempts } = screen;
  const { display_name: name } = form;
  const guide = httpsOnly(form.guide_url);
  const submit = (event: Event) => {
    event.preventDefault();
    window.submit();
  };
  return (
    <main>
      <div class="face">
        <Logo name={name} url={form.logo_url} size="m" />
        <div>
          <Heading class="small">{t(form.is_reconnect ? 'reconnect_heading' : 'connect_heading', { name })}</Heading>
          <ForWhom isPlain />
        </div>
      </div>
      <form class="form" noValidate onSubmit={submit}>
        {failure && <FailureNote failure={failure} form={form} />}
        <Lead>{t('form_lead')}</Lead>
        <Expected form={form} />
        <Fields
          fields={form.fields}
          values={window.state.values}
          faults={faults}
          attempts={attempts}
          isReadOnly={isChecking}
          onInput={(key, value) => window.type(key, value)}
          t={t}
        />
        {guide && (
          <p class="help">
            <a href={guide} target="_blank" rel="noopener noreferrer">
              {t('guide')}
              <span class="sr"> ({t('opens_new_tab')})</span>
            </a>
          </p>
        )}
        <End foot={form.way === 'sign_in' ? t('footer_sign_in', { name }) : t('footer_form', { name })}>
          <Submit screen={screen} />
          <LinkFacts />
        </End>
      </form>
    </main>
  );
}

function PlainStart({ screen }: { readonly screen: StartScreen }) {
  const { window, t } = useWindow();
  const { form, failure } = screen;
  const { display_name: name } = form;
  const submit = (event: Event) => {
    event.preventDefault();
    window.submit();
  };
  return (
    <main>
      <Hero form={form} />
      <div class="mid">
        <Heading>{t(form.is_reconnect ? 'reconnect_heading' : 'connect_heading', { name })}</Heading>
        <Lead>{placeOf(form, t)}</Lead>
      </div>
      <ForWhom />
      <form class="form" noValidate onSubmit={submit}>
        {failure && <FailureNote failure={failure} form={form} />}
        <Promises form={form} />
        <TestHint form={form} />
        <End foot={form.way === 'sign_in' ? t('footer_sign_in', { name }) : undefined}>
          <Submit screen={screen} />
          {form.way === 'sign_in' && (
            <p class="mid small-text soft">{t(window.mode === 'frame' ? 'opens_window' : 'opens_here')}</p>
          )}
          <LinkFacts />
        </End>
      </form>
    </main>
  );
}

function placeOf({ way, sign_in_host: host, display_name: name }: ConnectForm, t: ReturnType<typeof useWindow>['t']): string {
  if (way === 'none') return t('nothing_asked', { name });
  return host === null ? t('sign_in_there', { name }) : t('sign_in_at', { host });
}

function Promises({ form }: { readonly form: ConnectForm }) {
  const { t } = useWindow();
  const expected = useExpected(form);
  const lines = [
    ...form.scopes.map(({ description }) => description),
    ...(form.is_reconnect && expected ? [expected] : []),
    t('may_disconnect'),
  ];
  return (
    <ul class="can">
      {lines.map((line) => (
        <li key={line}>
          <Icon name="tick" />
          <span dir="auto">{line}</span>
        </li>
      ))}
    </ul>
  );
}

function Expected({ form }: { readonly form: ConnectForm }) {
  const expected = useExpected(form);
  return expected && <p class="note">{expected}</p>;
}

/** Returns a text that says whose account is expected when a connection is reauthorized; null if that is not known. */
function useExpected({ way }: ConnectForm): string | null {
  const { window, t } = useWindow();
  const who = wordsFor(window.state.session?.reconnect?.account);
  return who === '' ? null : t(way === 'sign_in' ? 'reconnect_as' : 'reconnect_with', { who });
}

/**
 * Shows the callback URL to a developer who is setting up the integration; in production environments the service does not send
 * it.
 */
function TestHint({ form: { callback_url: url } }: { readonly form: ConnectForm }) {
  const { t } = useWindow();
  if (url === null) return null;
  return (
    <p class="small-text soft hint-test">
      {t('test_environment')} <code>{url}</code>
    </p>
  );
}

/**
 * The buttons have a Preact `key` each: without it, Cancel would become the submit button in the middle of a click, and the same
 * click would submit the form. Cancel appears where the submit button was, so it ignores the second click of a double click.
 */
function Submit({ screen: { form, isChecking } }: { readonly screen: StartScreen }) {
  const { window, t } = useWindow();
  const name = form.display_name;
  if (isChecking) {
    return (
      <>
        <p class="busy" role="status">
          <span class="spin" aria-hidden="true" />
          {t('verifying_lead', { name })}
        </p>
        <button key="cancel" type="button" class="btn" onClick={({ detail }) => detail < 2 && window.startOver()}>
          {t('cancel')}
        </button>
      </>
    );
  }
  if (form.way === 'sign_in') {
    return (
      <button key="submit" type="submit" class="btn primary">
        {t('continue_to', { name })}
        {window.mode === 'frame' && <Icon name="out" />}
      </button>
    );
  }
  return (
    <button key="submit" type="submit" class="btn primary">
      {t(form.is_reconnect ? 'reconnect' : 'connect')}
    </button>
  );
}
