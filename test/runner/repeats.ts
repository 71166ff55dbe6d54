import { isRepeated } from './lanes.ts';
import type { FileResult } from './results.ts';

/** The number of files that may fail by chance. More failures have a common cause. */
const MAX_REPEATS = 3;

/** Returns the failed files that run once more, from the folders where tests depend on processes, browsers and time. */
export function filesToRepeat(results: readonly Pick<FileResult, 'file' | 'failed'>[]): readonly string[] {
  const failed = results.filter((result) => result.failed.length > 0).map(({ file }) => file);
  const repeated = failed.filter(isRepeated);
  return repeated.length > MAX_REPEATS ? [] : repeated;
}
