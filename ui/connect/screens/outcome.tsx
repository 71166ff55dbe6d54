import { useEffect, useState } from 'preact/hooks';
import type { Account } from '../../kit/wire.ts';
import { useWindow } from '../context.ts';
import { FailureDetails } from '../failure-details.tsx';
import { textsOfFailure } from '../flow/failures.ts';
import { returnAddress } from '../flow/return-address.ts';
import type { Failure, Screen } from '../flow/state.ts';
import { End, Heading } from '../frame.tsx';
import { Icon } from '../icon.tsx';

type Of<At extends Screen['at']> = { readonly screen: Extract<Screen, { at: At }> };

/** The screen that says that an account is connected, and which one. */
export function Success({ screen }: Of<'success'>) {
  const { t } = useWindow();
  const { form, account, isLimited } = screen;
  const name = form.display_name;
  return (
    <main class="mid">
      <div class="ring ok" aria-hidden="true">
        <Icon name="tick" />
      </div>
      <Heading>{t(form.is_reconnect ? 'success_again_heading' : 'success_heading', { name })}</Heading>
      {account && <ConnectedAs account={account} />}
      {isLimited && <p class="note start">{t('success_limited')}</p>}
      <End foot={t('footer_disconnect')}>
        <Leave />
      </End>
    </main>
  );
}

/** Shows the name and the e-mail address on separate lines, since an address can be long. */
function ConnectedAs({ account: { name, email } }: { readonly account: Account }) {
  const { t } = useWindow();
  const who = name || email;
  if (!who) return null;
  const [before = '', after = ''] = t('success_as', { who: '\0' }).split('\0');
  return (
    <>
      <p class="lead">
        {before}
        <b>
          <bdi>{who}</bdi>
        </b>
        {after}
      </p>
      {name && email && (
        <p class="soft">
          <bdi>{email}</bdi>
        </p>
      )}
    </>
  );
}

function Leave() {
  const { window, t } = useWindow();
  const { session } = window.state;
  if (window.mode === 'frame') {
    return (
      <button type="button" class="btn primary" onClick={() => window.close()}>
        {t('back_to')}
      </button>
    );
  }
  if (returnAddress(session?.return_url, 'connected') === null) return <p class="mid soft">{t('close_tab')}</p>;
  return (
    <button type="button" class="btn primary" onClick={() => window.close()}>
      {t('continue_in')}
    </button>
  );
}

/** The screen that says that nothing was connected, why, and what to do now. */
export function Failed({ screen }: Of<'failure'>) {
  const { window, t } = useWindow();
  const { form, failure } = screen;
  const name = form?.display_name ?? t('account_unnamed');
  const { heading, text, note, action } = textsOfFailure(failure.code, form);
  const seconds = useCountdown(failure);
  const canChoose = window.canGoBack;
  const isOverFor = action === 'close' || (action === 'choose_other' && !canChoose);
  return (
    <main class="mid">
      <div class="ring bad" aria-hidden="true">
        <Icon name="warn" />
      </div>
      <Heading>{form === null ? t('broken_heading') : t(heading, { name })}</Heading>
      <p class="lead" role="alert">
        {seconds > 0 ? t('error_rate_limited_wait', { seconds }) : t(text, { name })}
      </p>
      {failure.message && (
        <blockquote class="start">
          <p dir="auto">{failure.message}</p>
        </blockquote>
      )}
      {note && <p class="note start">{t(note, { name })}</p>}
      <FailureDetails failure={failure} />
      <End>
        {action === 'try_again' && (
          <button
            type="button"
            class="btn primary"
            aria-disabled={seconds > 0}
            onClick={() => seconds === 0 && window.tryAgain()}
          >
            {t('try_again')}
          </button>
        )}
        {canChoose && (
          <button
            type="button"
            class={action === 'choose_other' ? 'btn primary' : 'btn plain'}
            onClick={() => window.chooseOther()}
          >
            {t('choose_other')}
          </button>
        )}
        {isOverFor && window.mode === 'frame' && (
          <button type="button" class="btn primary" onClick={() => window.close()}>
            {t('close')}
          </button>
        )}
      </End>
    </main>
  );
}

/** Returns the number of seconds until it makes sense to try again. */
function useCountdown({ retryAt }: Failure): number {
  const left = () => (retryAt === null ? 0 : Math.max(0, Math.ceil((retryAt.getTime() - Date.now()) / 1_000)));
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(left()), 1_000);
    return () => clearInterval(timer);
  }, [retryAt]);
  return seconds;
}
