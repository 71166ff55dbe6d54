import { useEffect, useState } from 'preact/hooks';
import { t } from '../app/texts/en.ts';
import { absoluteTime, localeOf, relativeTime } from './times.ts';

const EVERY_MS = 30_000;

/** Shows when something happened in relative words, with the absolute time in the title. */
export function RelativeTime({ at }: { readonly at: string | null }) {
  const now = useNow();
  if (at === null) return <>{t('never')}</>;
  const locale = localeOf(navigator.languages);
  const date = new Date(at);
  return (
    <time dateTime={at} title={absoluteTime(date, locale)}>
      {relativeTime(date, now, locale)}
    </time>
  );
}

function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
