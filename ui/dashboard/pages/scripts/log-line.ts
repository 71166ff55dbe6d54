import type { Reply } from '../../app/replies.ts';
import { durationText } from '../../components/times.ts';

type Line = Reply<'listScriptRuns'>['data'][number]['log'][number];

/** What a script has logged, in one line. */
export function logLine({ at, level, message, facts }: Line): string {
  return `${durationText(at)}  ${level}  ${message}${facts === undefined ? '' : ` ${JSON.stringify(facts)}`}`;
}
