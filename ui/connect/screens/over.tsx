import type { ComponentChildren } from 'preact';
import { useWindow } from '../context.ts';
import type { EndReason } from '../flow/state.ts';
import { End, Heading } from '../frame.tsx';
import { Icon, type IconName } from '../icon.tsx';
import type { TextKey } from '../texts/en.ts';

interface OverTexts {
  readonly icon: IconName;
  readonly tone?: 'ok';
  readonly heading: TextKey;
  readonly lead: TextKey;
  /** Texts that replace `heading` and `lead` in a window that was opened by a link. */
  readonly link: { readonly heading: TextKey; readonly lead: TextKey };
}

/** Texts of the screen on which the window has ended, by reason. */
const ENDS: Readonly<Record<EndReason, OverTexts>> = {
  expired: {
    icon: 'clock',
    heading: 'expired_heading',
    lead: 'expired_lead',
    link: { heading: 'link_expired_heading', lead: 'link_expired_lead' },
  },
  used: {
    icon: 'tick',
    tone: 'ok',
    heading: 'used_heading',
    lead: 'used_lead',
    link: { heading: 'used_heading', lead: 'link_used_lead' },
  },
  missing: {
    icon: 'warn',
    heading: 'missing_heading',
    lead: 'missing_lead',
    link: { heading: 'link_missing_heading', lead: 'link_missing_lead' },
  },
};

export function Ended({ reason }: { readonly reason: EndReason }) {
  const { window, t } = useWindow();
  const { icon, tone, ...texts } = ENDS[reason];
  const { heading, lead } = window.mode === 'page' ? texts.link : texts;
  return <Over icon={icon} tone={tone} heading={t(heading)} lines={[t(lead)]} />;
}

/** The screen for a session that offers no integration. */
export function Nothing() {
  const { window, t } = useWindow();
  const isProduction = window.state.session?.is_production ?? true;
  const lines = [t('nothing_lead'), ...(isProduction ? [] : [t('nothing_developer')])];
  return <Over icon="clock" heading={t('nothing_heading')} lines={lines} />;
}

/** The screen for an embedding page that is not allowed to show the window. */
export function NotAllowed() {
  const { origin, t } = useWindow();
  return (
    <Over icon="warn" heading={t('not_allowed_heading')} lines={[t('not_allowed_lead', { origin })]}>
      <details class="start">
        <summary>{t('for_developers')}</summary>
        <p>{t('not_allowed_developer', { origin })}</p>
      </details>
    </Over>
  );
}

interface OverProps {
  readonly icon: IconName;
  readonly tone?: 'ok' | undefined;
  readonly heading: string;
  readonly lines: readonly string[];
  readonly children?: ComponentChildren;
}

function Over({ icon, tone = undefined, heading, lines: [first, second], children }: OverProps) {
  const { window, t } = useWindow();
  return (
    <main class="mid">
      <div class={`ring ${tone ?? ''}`} aria-hidden="true">
        <Icon name={icon} />
      </div>
      <Heading>{heading}</Heading>
      <p class="lead">{first}</p>
      {second && <p class="note start">{second}</p>}
      {children}
      <End>
        {window.mode === 'frame' && (
          <button type="button" class="btn primary" onClick={() => window.close()}>
            {t('close')}
          </button>
        )}
      </End>
    </main>
  );
}
