import { t } from '../app/texts/en.ts';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';
import { clockTime, localeOf } from './times.ts';
import type { ConnectSession } from './use-connect-session.ts';

interface LinkDialogProps {
  readonly title: string;
  /** Returns a text that says who can do what with the link, and until what time. */
  readonly hint: (time: string) => string;
  readonly session: ConnectSession;
  /** The text of the button that copies the link. */
  readonly copy: string;
  /** The text of the button that opens the link. */
  readonly open: string;
  readonly onClose: () => void;
}

/** A dialog with a connect link, to be sent to a user or to be opened here. */
export function LinkDialog({ title, hint, session, copy, open, onClose }: LinkDialogProps) {
  const until = clockTime(new Date(session.expires_at), localeOf(navigator.languages));
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
