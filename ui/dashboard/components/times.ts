const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

/** Returns the user's preferred variant of English, in which dates are formatted, since the texts are English. Default: `en`. */
export function localeOf(languages: readonly string[]): string {
  return languages.find((tag) => tag.toLowerCase().startsWith('en')) ?? 'en';
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns a format, cached by locale and options: creating one takes longer than rendering a whole table row. */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, format);
  return format;
}

/** Returns the time of one day ago, in the format of the log's filters. */
export function oneDayAgo(): string {
  return new Date(Date.now() - DAY_S * 1_000).toISOString();
}

/** Formats a time in relative words: "2 min ago", "yesterday", "Mar 3, 2026". */
export function relativeTime(at: Date, now: Date, locale: string): string {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1000);
  const size = Math.abs(seconds);
  if (size < 45) return seconds > 0 ? 'in a moment' : 'just now';
  if (size < 45 * MINUTE_S) return said(Math.round(seconds / MINUTE_S), 'min');
  if (size < 22 * HOUR_S) return said(Math.round(seconds / HOUR_S), 'h');
  const days = calendarDays(now, at);
  if (days === 0) return said(Math.round(seconds / HOUR_S), 'h');
  if (Math.abs(days) < 7) return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(days, 'day');
  return dateFormat(locale, { dateStyle: 'medium' }).format(at);
}

/** Returns how many midnights of the user's time zone lie between two times; negative when the second is earlier. */
function calendarDays(from: Date, to: Date): number {
  const day = (at: Date) => Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / (DAY_S * 1_000);
  return day(to) - day(from);
}

/** Formats how long ago a time was: "51 min", "3 hours", "2 days". */
export function elapsedText(at: Date, now: Date): string {
  const seconds = Math.max(0, (now.getTime() - at.getTime()) / 1000);
  if (seconds < MINUTE_S) return 'a moment';
  if (seconds < 1.5 * HOUR_S) return `${Math.round(seconds / MINUTE_S)} min`;
  if (seconds < 2 * DAY_S) return `${Math.round(seconds / HOUR_S)} hours`;
  return `${Math.round(seconds / DAY_S)} days`;
}

/** Formats a time less than a minute from now in seconds: "in 40 s"; undefined for other times, and for this very second. */
export function secondsText(at: Date, now: Date): string | undefined {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1000);
  return seconds !== 0 && Math.abs(seconds) < MINUTE_S ? said(seconds, 's') : undefined;
}

function said(count: number, unit: string): string {
  return count < 0 ? `${-count} ${unit} ago` : `in ${count} ${unit}`;
}

/** Formats the time of day: "10:42 AM", which no-break spaces keep on one line. */
export function clockTime(at: Date, locale: string): string {
  return dateFormat(locale, { timeStyle: 'short' }).format(at).replaceAll(/\s/g, '\u00a0');
}

/** Formats the full date and time, for a tooltip. */
export function absoluteTime(at: Date, locale: string, isUtc = false): string {
  return dateFormat(locale, { dateStyle: 'medium', timeStyle: 'long', ...(isUtc && { timeZone: 'UTC' }) }).format(at);
}

/** Formats a duration: "84 ms", "1.2 s", "3 min". */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.round(ms / 60_000)} min`;
}
