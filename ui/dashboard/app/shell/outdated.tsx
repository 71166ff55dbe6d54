import { t } from '../texts/en.ts';
import { useOnline } from '../use-online.ts';

/** The service is of another version than the page. What is there by now comes with a reload. */
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
