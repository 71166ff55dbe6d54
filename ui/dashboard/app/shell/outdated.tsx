import { t } from '../texts/en.ts';
import { useOnline } from '../use-online.ts';

/** Says that the version of the service differs from that of the page, and offers to reload the page. */
export function Outdated() {
  const isOnline = useOnline();
  return (
    <div class="bar-note" role="alert">
      {isOnline ? t('outdated') : t('offline')}
      <button type="button" class="btn" onClick={() => location.reload()}>
        {t('outdated_reload')}
      </button>
    </div>
  );
}
