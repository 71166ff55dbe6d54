import { CopyButton } from '../../components/copy-button.tsx';
import { Note } from '../../components/note.tsx';
import { t } from './texts.ts';

export interface MadeLink {
  /** Of whom it is for. */
  readonly email: string;
  readonly link: string;
  readonly leadsTo: 'invitation' | 'password';
}

/** Shown once; nobody sends it but the admin. */
export function OneTimeLink({ email, link, leadsTo }: MadeLink) {
  return (
    <Note tone="plain" title={t(`link_for_${leadsTo}`, { email })} isAlert>
      <p>{t('link_once')}</p>
      <code>{link}</code>
      <CopyButton text={link} what={t('link')} verb={t(`copy_${leadsTo}`)} isWide />
    </Note>
  );
}
