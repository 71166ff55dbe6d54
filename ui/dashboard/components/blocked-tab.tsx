import { t } from '../app/texts/en.ts';
import { Note } from './note.tsx';

/** Shows a connect link for which the browser did not open a tab. It stays visible, so that the user can follow the link. */
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
