import { t } from '../texts/en.ts';
import { useOnline } from '../use-online.ts';

/** Says that the service has another version than the page, and offers to reload it. */
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
