/** The result of one test file. The title of a test begins with the titles of its suites. */
export interface FileResult {
  /** The path of the file, relative to the project. */
  readonly file: string;
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  readonly skipped: readonly string[];
  /** The outline of the file's tests, as Mocha prints it. */
  readonly outline: string;
  /** The failures with their messages and stacks; empty if there are none. */
  readonly failures: string;
  readonly times: FileTimes;
}

/** Times in milliseconds. */
export interface FileTimes {
  readonly total: number;
  /** The time in `before`, `after` and similar hooks, including sweeps. */
  readonly hooks: number;
  /** The time in sweeps, which search for leaked secrets. */
  readonly sweep: number;
  /** The processor time of the worker and of its child processes that have ended; without `/proc`, of the worker alone. */
  readonly processors: number;
}

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export function tallyOf(results: readonly Pick<FileResult, 'passed' | 'failed' | 'skipped'>[]): Tally {
  const sum = (of: keyof Tally) => results.reduce((total, result) => total + result[of].length, 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

/** The line that closes a run: "12 passed, 0 failed, 1 skipped". */
export function tallyLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
