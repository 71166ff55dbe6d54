import { localeOf } from '../core/times.ts';
import type { ConnectSession } from '../hooks/use-connect-session.ts';
import { t } from '../texts/en.ts';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';

interface LinkDialogProps {
  readonly title: string;
  /** Who can do what with the link, given the time until which it works. */
  readonly hint: (time: string) => string;
  readonly session: ConnectSession;
  /** The link itself, for those who only hear the button that copies it. */
  readonly what: string;
  /** Of the button that follows the link. */
  readonly verb: string;
  readonly onClose: () => void;
}

/** A connect link: to be sent to somebody, or to be opened here. */
export function LinkDialog({ title, hint, session, what, verb, onClose }: LinkDialogProps) {
  const until = new Intl.DateTimeFormat(localeOf(navigator.languages), { timeStyle: 'short' });
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack">
        <p>{hint(until.format(new Date(session.expires_at)))}</p>
        <code class="wrap">{session.connect_link}</code>
        <div class="actions end">
          <button type="button" class="btn" onClick={onClose}>
            {t('close')}
          </button>
          <CopyButton text={session.connect_link} what={what} isWide />
          <a class="btn primary" href={session.connect_link} target="_blank" rel="noreferrer">
            {verb}
          </a>
        </div>
      </div>
    </Dialog>
  );
}
