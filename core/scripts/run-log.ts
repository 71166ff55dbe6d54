import type { LogLine } from '../../scripts-runtime/script-run.ts';
import { redact, safeText } from '../kit/redact.ts';

/** Of all lines of a run together, as JSON: a script that writes much must not fill the database. */
const MAX_CHARACTERS = 64 * 1024;

/** The lines as they may be kept: without secrets as far as their names tell, up to 64 KiB; the last says what is missing. */
export function storedLog(lines: readonly LogLine[]): readonly LogLine[] {
  const kept: LogLine[] = [];
  let left = MAX_CHARACTERS;
  for (const { at, level, message, facts } of lines) {
    // Wrapped: facts may be anything, and what is redacted are members.
    const line = { at, level, message: safeText(message), ...(facts !== undefined && redact({ facts })) };
    left -= JSON.stringify(line).length;
    if (left < 0) break;
    kept.push(line);
  }
  const missing = lines.length - kept.length;
  if (missing === 0) return kept;
  return [...kept, { at: lines.at(-1)?.at ?? 0, level: 'warn', message: `${missing} more lines were not kept` }];
}
