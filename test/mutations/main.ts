import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { filesOf } from '../runner/lanes.ts';
import type { RunResults } from '../runner/report.ts';
import type { FileResult } from '../runner/results.ts';
import { projectFolder, SOURCE_FOLDERS } from '../support/source-files.ts';
import { MUTANTS, type Mutant } from './mutants.ts';
import { distancesTo, nearestFirst } from './reach.ts';

/**
 * Plants each fault of `mutants.ts` in a copy of the tree and reports which test finds it:
 * `npm run test:mutations [-- --only <name>]`. This takes half an hour, and ten minutes more for each fault that the gate misses.
 */

/** The number of faults that the gate must find. All tests together must find every fault. */
const GATE_FINDS = 26;
/** Entries at the top of the tree that are not copied. */
const LEFT_OUT = new Set(['.git', 'test-results', '.svc', 'screenshots']);

type Finding = { readonly in: 'gate' | 'rest' | 'nothing'; readonly by: string };

const { values: given } = parseArgs({ options: { only: { type: 'string', multiple: true } } });
const wanted = MUTANTS.filter(({ name }) => given.only?.some((part) => name.includes(part)) ?? true);

const folder = mkdtempSync(join(tmpdir(), 'svc-mutations-'));
const copy = join(folder, 'svc');
// Some tests run programs of the tree as another user, who must be able to enter this folder.
chmodSync(folder, 0o755);
try {
  const filter = (path: string) => !LEFT_OUT.has(relative(projectFolder, path));
  cpSync(projectFolder, copy, { recursive: true, verbatimSymlinks: true, filter });
  const findings = wanted.map((mutant) => {
    const finding = examine(mutant);
    console.log(`${finding.in.padEnd(7)}  ${mutant.name}  (${finding.by})`);
    return finding;
  });
  const [gate, rest] = (['gate', 'rest'] as const).map((lane) => findings.filter((finding) => finding.in === lane).length);
  console.log(`\nof ${wanted.length} faults ${gate} are found by the gate, ${rest} by the rest`);
  const isEnough =
    findings.every((finding) => finding.in !== 'nothing') && (given.only !== undefined || (gate ?? 0) >= GATE_FINDS);
  process.exitCode = isEnough ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function examine({ find, replace }: Mutant): Finding {
  const path = join(copy, placeOf(find));
  const original = readFileSync(path, 'utf8');
  const fault: Fault = {
    plant: () =>
      writeFileSync(
        path,
        original.replace(find, () => replace),
      ),
    remove: () => writeFileSync(path, original),
  };
  const distances = distancesTo(copy, relative(copy, path));
  try {
    for (const lane of ['gate', 'rest'] as const) {
      const by = finderOf(fault, nearestFirst(filesOf(lane), distances));
      if (by !== undefined) return { in: lane, by };
    }
    return { in: 'nothing', by: relative(copy, path) };
  } finally {
    fault.remove();
  }
}

interface Fault {
  plant(): void;
  remove(): void;
}

/**
 * Finds a test file that fails with the fault, fails again when it runs alone, and passes without the fault.
 *
 * @returns the file and the failed test; undefined if there is none
 */
function finderOf(fault: Fault, files: readonly string[]): string | undefined {
  let left = files;
  while (left.length > 0) {
    fault.plant();
    const ended = run(['--bail', ...left]);
    const failed = ended.filter((result) => result.failed.length > 0);
    if (failed.length === 0) return undefined;
    for (const { file } of failed) {
      fault.plant();
      const [title] = failuresOf(file);
      fault.remove();
      if (title !== undefined && failuresOf(file).length === 0) return `${file}: ${title}`;
    }
    const names = new Set(ended.map(({ file }) => file));
    left = left.filter((file) => !names.has(file));
  }
  return undefined;
}

function failuresOf(file: string): readonly string[] {
  return run([file]).flatMap(({ failed }) => failed);
}

/** Returns the source file that contains this text. @throws Error unless the text occurs exactly once in the tree */
function placeOf(find: string): string {
  const files = globSync(
    SOURCE_FOLDERS.map((top) => `${top}/**/*.{ts,tsx,js}`),
    { cwd: copy, exclude: (name) => name === 'node_modules' || name === 'dist' || name === 'mutations' },
  );
  const places = files.filter((file) => readFileSync(join(copy, file), 'utf8').includes(find));
  const [place = '', ...others] = places;
  const count = readFileSync(join(copy, place || 'package.json'), 'utf8').split(find).length - 1;
  if (others.length > 0 || count !== 1) throw new Error(`is in the tree ${places.length} times instead of once:\n${find}`);
  return place;
}

/** Runs tests. @returns the result of each file that was started, or one failure if the run itself could not start */
function run(args: readonly string[]): readonly Pick<FileResult, 'file' | 'failed'>[] {
  rmSync(join(copy, 'test-results'), { recursive: true, force: true });
  const { status } = spawnSync('npm', ['test', '--', ...args], { cwd: copy, encoding: 'utf8', maxBuffer: 2 ** 30 });
  const results = join(copy, 'test-results/last.json');
  if (!existsSync(results)) return [{ file: args.at(-1) ?? '', failed: [`the run does not begin (exit code ${status})`] }];
  const { files }: RunResults = JSON.parse(readFileSync(results, 'utf8'));
  return files;
}
