import { t } from '../app/texts/en.ts';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';
import { dateFormat, localeOf } from './times.ts';
import type { ConnectSession } from './use-connect-session.ts';

interface LinkDialogProps {
  readonly title: string;
  /** Who can do what with the link, given the time until which it works. */
  readonly hint: (time: string) => string;
  readonly session: ConnectSession;
  /** Of the button that copies the link. */
  readonly copy: string;
  /** Of the one that follows it. */
  readonly open: string;
  readonly onClose: () => void;
}

/** A connect link: to be sent to somebody, or to be opened here. */
export function LinkDialog({ title, hint, session, copy, open, onClose }: LinkDialogProps) {
  const format = dateFormat(localeOf(navigator.languages), { timeStyle: 'short' });
  // In one piece: "10:42 AM".
  const until = format.format(new Date(session.expires_at)).replaceAll(/\s/g, '\u00a0');
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack">
        <p>{hint(until)}</p>
        <code class="wrap">{session.connect_link}</code>
        <div class="actions end">
          <button type="button" class="btn" onClick={onClose}>
            {t('close')}
          </button>
          <a class="btn" href={session.connect_link} target="_blank" rel="noreferrer">
            {open}
          </a>
          <CopyButton text={session.connect_link} what={title} verb={copy} isWide isPrimary />
        </div>
      </div>
    </Dialog>
  );
}
