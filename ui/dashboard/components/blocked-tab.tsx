import { t } from '../app/texts/en.ts';
import { Note } from './note.tsx';

/** A connect link that the browser opened no tab for. It stays: nobody could follow a link that is gone. */
export function BlockedTab({ link }: { readonly link: string }) {
  return (
    <Note tone="warn" title={t('connect_blocked')} isAlert>
      <p>{t('connect_blocked_hint')}</p>
      <a class="btn" href={link} target="_blank" rel="noreferrer">
        {t('connect_open')}
      </a>
    </Note>
  );
}
