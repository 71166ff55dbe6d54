import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FileResult, FileTimes } from './results.ts';

/** The folder of the results. Git ignores it. */
const FOLDER = fileURLToPath(new URL('../../test-results/', import.meta.url));
const SLOWEST = 30;

/** The first, failed run of a file that passed when it was run again. */
export type Repeat = Pick<FileResult, 'file' | 'failed' | 'failures'>;

export interface RunResults {
  readonly repeats: readonly Repeat[];
  readonly files: readonly FileResult[];
}

export function writeResults(name: string, results: RunResults): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${FOLDER}${name}.json`, JSON.stringify(results, null, 1));
}

/** Returns the results of the last run of a lane. */
export function readResults(name: string): RunResults {
  return JSON.parse(readFileSync(`${FOLDER}${name}.json`, 'utf8'));
}

export function printFile(
  { file, passed, failed, times, outline, failures }: FileResult,
  { withOutline }: { withOutline: boolean },
): void {
  const counts = `${passed.length} passed${failed.length > 0 ? `, ${failed.length} failed` : ''}`;
  console.log(`${failed.length > 0 ? '✖' : '✔'} ${file}  (${counts}, ${seconds(times.total).trim()} s)`);
  if (withOutline) console.log(outline);
  if (failures !== '') console.log(failures);
}

/** Prints where the time went and which tests were skipped, and repeats all failures below the hundreds of lines about files. */
export function printEnd(results: readonly FileResult[]): void {
  const slowest = results.toSorted((one, other) => other.times.total - one.times.total).slice(0, SLOWEST);
  printTimes(
    'by file',
    slowest.map(({ file, times }) => [file, times]),
  );
  const folders = [...Map.groupBy(results, ({ file }) => folderOf(file))].map(
    ([folder, own]) => [`${folder} (${own.length} files)`, sumOf(own)] as const,
  );
  const sorted = folders.toSorted(([, one], [, other]) => other.total - one.total);
  printTimes('by folder', [...sorted, ['all', sumOf(results)]]);
  for (const { file, skipped } of results) for (const title of skipped) console.log(`SKIPPED: ${file}: ${title}`);
  for (const { file, failures } of results) if (failures !== '') console.log(`\n${file}\n${failures}`);
}

export function printRepeats(repeats: readonly Repeat[]): void {
  for (const { file, failed, failures } of repeats) console.log(`\nREPEATED ${file}: ${failed[0]}\n${failures}`);
}

function printTimes(heading: string, rows: readonly (readonly [name: string, times: FileTimes])[]): void {
  const columns = ['total', 'hooks', 'sweep', 'cpu'].map((name) => name.padStart(8)).join('');
  console.log(`\n${columns}  seconds ${heading}`);
  for (const [name, { total, hooks, sweep, processors }] of rows)
    console.log(`${[total, hooks, sweep, processors].map(seconds).join('')}  ${name}`);
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1).padStart(8);
}

function folderOf(file: string): string {
  return file.split('/', file.startsWith('test/') ? 2 : 1).join('/');
}

function sumOf(results: readonly FileResult[]): FileTimes {
  const sum = (of: keyof FileTimes) => results.reduce((total, { times }) => total + times[of], 0);
  return { total: sum('total'), hooks: sum('hooks'), sweep: sum('sweep'), processors: sum('processors') };
}
