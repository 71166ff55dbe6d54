import { useWindow } from '../context.ts';
import type { Screen } from '../flow/state.ts';
import { End, Heading } from '../frame.tsx';
import { Hero } from '../hero.tsx';

type Of<At extends Screen['at']> = { readonly screen: Extract<Screen, { at: At }> };

/** The screen while the user is signing in, in another window. */
export function Waiting({ screen }: Of<'waiting'>) {
  const { window, t } = useWindow();
  const { form, isBlocked, isLate, isLost } = screen;
  const name = form.display_name;
  if (isBlocked) return <Blocked screen={screen} />;
  return (
    <main class="mid">
      <Hero form={form} />
      <div class="spin" aria-hidden="true" />
      <Heading>{t('waiting_heading', { name })}</Heading>
      <p class="lead" role="status">
        {t('waiting_lead')}
      </p>
      <p class={isLate || isLost ? 'note start' : ''} role="status">
        {isLost ? t('window_lost') : isLate && t('waiting_late')}
      </p>
      <End foot={t('footer_sign_in', { name })}>
        {isLost ? (
          // Ignores the second click of a double click on the button that was here before.
          <button type="button" class="btn" onClick={({ detail }) => detail < 2 && window.openAnother()}>
            {t('open_another')}
          </button>
        ) : (
          <button type="button" class="btn" onClick={() => window.showAgain()}>
            {t('show_window')}
          </button>
        )}
        <button type="button" class="btn plain" onClick={() => window.startOver()}>
          {t('start_over')}
        </button>
      </End>
    </main>
  );
}

function Blocked({ screen }: Of<'waiting'>) {
  const { window, t } = useWindow();
  const name = screen.form.display_name;
  return (
    <main class="mid">
      <Hero form={screen.form} />
      <Heading key="blocked">{t('blocked_heading')}</Heading>
      <p class="lead" role="alert">
        {t('blocked_lead', { name })}
      </p>
      <End>
        <a
          class="btn primary"
          href={screen.launchUrl}
          target="_blank"
          rel="noopener"
          onClick={(event) => {
            event.currentTarget.href = window.launchUrl();
          }}
        >
          {t('blocked_link', { name })}
        </a>
        <button type="button" class="btn plain" onClick={() => window.startOver()}>
          {t('start_over')}
        </button>
      </End>
    </main>
  );
}

/** The screen while credentials are verified, or while this tab is leaving for the provider. */
export function Busy({ screen }: Of<'verifying' | 'leaving'>) {
  const { t } = useWindow();
  const name = screen.form.display_name;
  return (
    <main class="mid">
      <Hero form={screen.form} />
      <div class="spin" aria-hidden="true" />
      <Heading key={screen.at}>{t(`${screen.at}_heading`, { name })}</Heading>
      <p class="lead" role="status">
        {t(`${screen.at}_lead`, { name })}
      </p>
    </main>
  );
}
