/** The result of one test file. Titles include those of the suites. */
export interface FileResult {
  /** The path of the file, relative to the project. */
  readonly file: string;
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  readonly skipped: readonly string[];
  /** The outline of its tests. */
  readonly outline: string;
  /** Its failures with messages and stacks; empty where there is none. */
  readonly failures: string;
  readonly times: FileTimes;
}

/** Times in milliseconds. */
export interface FileTimes {
  readonly total: number;
  /** The time in `before`, `after` and similar hooks, including sweeps. */
  readonly hooks: number;
  /** The time in sweeps, which look for secrets. */
  readonly sweep: number;
  /** The processor time of the file's process and of those that it started and saw end; without `/proc`, of its own process alone. */
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
