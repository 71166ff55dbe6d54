import { useEffect, useState } from 'preact/hooks';
import { localeOf } from '../core/times.ts';
import { t } from '../texts/en.ts';

/** Says that what is shown is no longer fresh, as long as there is no network. */
export function OfflineBar() {
  const [since, setSince] = useState<Date | undefined>(navigator.onLine ? undefined : new Date());
  useEffect(() => {
    const look = () => setSince((before) => (navigator.onLine ? undefined : (before ?? new Date())));
    addEventListener('online', look);
    addEventListener('offline', look);
    return () => {
      removeEventListener('online', look);
      removeEventListener('offline', look);
    };
  }, []);
  const time = since && new Intl.DateTimeFormat(localeOf(navigator.languages), { timeStyle: 'short' }).format(since);
  return (
    <p class="bar-note warn" role="status" hidden={time === undefined}>
      {time && t('offline_since', { time })}
    </p>
  );
}
