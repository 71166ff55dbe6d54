import { useEffect, useState } from 'preact/hooks';
import { t } from '../app/texts/en.ts';
import { absoluteTime, elapsedText, localeOf, relativeTime, secondsText } from './times.ts';

const EVERY_MS = 30_000;
const EVERY_SECOND_MS = 1_000;

interface RelativeTimeProps {
  readonly at: string | null;
  /** True to count seconds: "in 40 s". */
  readonly isPrecise?: boolean;
}

/** Shows when something happened in relative words, with the absolute time in the title. */
export function RelativeTime({ at, isPrecise = false }: RelativeTimeProps) {
  const now = useNow(isPrecise ? EVERY_SECOND_MS : EVERY_MS);
  if (at === null) return <>{t('never')}</>;
  const locale = localeOf(navigator.languages);
  const date = new Date(at);
  return (
    <time dateTime={at} title={absoluteTime(date, locale)}>
      {(isPrecise ? secondsText(date, now) : undefined) ?? relativeTime(date, now, locale)}
    </time>
  );
}

/** Shows how long something has lasted, with the absolute time of its beginning in the title. */
export function Elapsed({ since }: { readonly since: string }) {
  const now = useNow(EVERY_MS);
  const date = new Date(since);
  return (
    <time dateTime={since} title={absoluteTime(date, localeOf(navigator.languages))}>
      {elapsedText(date, now)}
    </time>
  );
}

/** Returns the present time, and renders the component again at this interval. */
export function useNow(everyMs: number): Date {
  const [, setTicks] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTicks((ticks) => ticks + 1), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return new Date();
}
