import { CopyButton } from '../../components/copy-button.tsx';
import { Note } from '../../components/note.tsx';
import { t } from './texts.ts';

export interface MadeLink {
  /** E-mail address of the user for whom the link was created. */
  readonly email: string;
  readonly link: string;
  readonly leadsTo: 'invitation' | 'password';
}

/** Shows a new one-time link. The service shows it only this once and does not send it: the admin has to pass it on. */
export function OneTimeLink({ email, link, leadsTo }: MadeLink) {
  return (
    <Note tone="plain" title={t(`link_for_${leadsTo}`, { email })} isAlert>
      <p>{t('link_once')}</p>
      <code>{link}</code>
      <CopyButton text={link} what={t('link')} verb={t(`copy_${leadsTo}`)} isWide />
    </Note>
  );
}
