import { Copyable } from '../../components/copy-button.tsx';
import { Note } from '../../components/note.tsx';
import { t } from './texts.ts';

export interface MadeLink {
  /** Of whom it is for. */
  readonly email: string;
  readonly link: string;
}

/** Shown once; nobody sends it but the admin. */
export function OneTimeLink({ email, link }: MadeLink) {
  return (
    <Note tone="warn" title={t('link_for', { email })} isAlert>
      <p>{t('link_once')}</p>
      <Copyable text={link} what={t('link')} />
    </Note>
  );
}
