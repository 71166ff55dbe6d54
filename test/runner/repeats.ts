import { isRepeated } from './lanes.ts';
import type { FileResult } from './results.ts';

/** The largest number of failed files that are repeated. If more fail, they have a common cause instead of failing by chance. */
const MAX_REPEATS = 3;

/** Returns the failed files to run once more: those in folders where tests depend on processes, browsers and time. */
export function filesToRepeat(results: readonly Pick<FileResult, 'file' | 'failed'>[]): readonly string[] {
  const failed = results.filter((result) => result.failed.length > 0).map(({ file }) => file);
  const repeated = failed.filter(isRepeated);
  return repeated.length > MAX_REPEATS ? [] : repeated;
}
