import type { Reply } from '../../app/replies.ts';
import { durationText } from '../../components/times.ts';

type Line = Reply<'listScriptRuns'>['data'][number]['log'][number];

/** Formats a log entry of a script as one line. */
export function logLine({ at, level, message, facts }: Line): string {
  return `${durationText(at)}  ${level}  ${message}${facts === undefined ? '' : ` ${JSON.stringify(facts)}`}`;
}
