import { absoluteTime, dateFormat, localeOf } from '../../components/times.ts';

export interface LogTimes {
  /** Returns the time of day with milliseconds, and the date unless it is today. @param at time in ISO 8601 */
  clock(at: string): string;
  /** Returns the full date and time, for a tooltip. */
  whole(at: string): string;
}

/** Creates the time formats of the log, once per list or page: creating them takes longer than the rest of a row. */
export function logTimes(isUtc: boolean): LogTimes {
  const locale = localeOf(navigator.languages);
  const zone = isUtc ? { timeZone: 'UTC' } : {};
  const day = dateFormat(locale, { ...zone, day: 'numeric', month: 'short' });
  const time = dateFormat(locale, {
    ...zone,
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
  });
  const today = day.format(new Date());
  return {
    clock(at) {
      const date = new Date(at);
      const itsDay = day.format(date);
      return itsDay === today ? time.format(date) : `${itsDay}, ${time.format(date)}`;
    },
    whole: (at) => absoluteTime(new Date(at), locale, isUtc),
  };
}

export function LogTime({ at, times }: { readonly at: string; readonly times: LogTimes }) {
  return (
    <time dateTime={at} title={times.whole(at)}>
      {times.clock(at)}
    </time>
  );
}
