import { localeOf } from '../../components/times.ts';
import { t } from '../texts/en.ts';
import { useOnline } from '../use-online.ts';
import { useShown } from '../use-shown.ts';

/** Says, as long as there is no network, when the shown values were loaded. */
export function OfflineBar() {
  const isOnline = useOnline();
  const times = useShown().flatMap(({ loadedAt }) => loadedAt ?? []);
  const time = new Intl.DateTimeFormat(localeOf(navigator.languages), { timeStyle: 'short' });
  const oldest = times.length === 0 ? undefined : time.format(Math.min(...times.map(Number)));
  return (
    <p class="bar-note warn" role="status" hidden={isOnline}>
      {!isOnline && (oldest === undefined ? t('offline') : t('offline_since', { time: oldest }))}
    </p>
  );
}
