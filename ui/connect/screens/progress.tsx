import { Logo } from '../../kit/logo.tsx';
import { useWindow } from '../context.ts';
import type { Screen } from '../flow/state.ts';
import { Heading } from '../frame.tsx';

type Of<At extends Screen['at']> = { readonly screen: Extract<Screen, { at: At }> };

/** The screen before the session is known. */
export function Loading({ screen }: Of<'loading'>) {
  const { t } = useWindow();
  return (
    <main>
      <p class="sr" role="status">
        {t('loading')}
      </p>
      <Bones />
      <p class="soft small-text mid" role="status">
        {screen.isLong && t('loading_long')}
      </p>
    </main>
  );
}

/** The screen while the form of the chosen integration is loaded. */
export function Opening({ screen }: Of<'opening'>) {
  const { t } = useWindow();
  const { display_name: name, logo_url: url } = screen.integration;
  return (
    <main aria-busy="true">
      <div class="face">
        <Logo name={name} url={url} size="m" />
        <Heading class="small">{t('connect_heading', { name })}</Heading>
      </div>
      <p class="sr" role="status">
        {t('loading')}
      </p>
      <Bones />
    </main>
  );
}

function Bones() {
  return (
    <div aria-hidden="true">
      <div class="bone half" />
      <div class="bone wide" />
      <div class="bone half" />
      <div class="bone wide" />
    </div>
  );
}
