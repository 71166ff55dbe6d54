import { t } from '../texts/en.ts';

/** A part of the page is gone from the server. What is there by now comes with a reload. */
export function Outdated() {
  return (
    <div class="bar-note" role="alert">
      {navigator.onLine ? t('outdated') : t('offline')}
      <button type="button" class="btn" onClick={() => location.reload()}>
        {t('outdated_reload')}
      </button>
    </div>
  );
}
