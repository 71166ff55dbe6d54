import { t } from '../texts/en.ts';
import { useOnline } from '../use-online.ts';

/** Says that the version of the service differs from that of the page, and offers to reload the page; not without a network. */
export function Outdated() {
  if (!useOnline()) return null;
  return (
    <div class="bar-note" role="alert">
      {t('outdated')}
      <button type="button" class="btn" onClick={() => location.reload()}>
        {t('outdated_reload')}
      </button>
    </div>
  );
}
