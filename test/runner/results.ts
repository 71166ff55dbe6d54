/** What one test file came to. Titles are full ones, with those of the suites. */
export interface FileResult {
  /** Relative to the project. */
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

/** Milliseconds. */
export interface FileTimes {
  readonly total: number;
  /** In `before`, `after` and their like, sweeps included. */
  readonly hooks: number;
  /** Looking for secrets. */
  readonly sweep: number;
  /** Of processors, by the file's own process and by those it started and saw end; on systems without `/proc` by its own alone. */
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
