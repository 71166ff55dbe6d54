import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { filesNamed, filesOf, isAlone, isForNormalUser, LANES } from './runner/lanes.ts';
import { isRoot, NormalUser } from './runner/normal-user.ts';
import { filesToRepeat } from './runner/repeats.ts';
import { printEnd, printFile, printRepeats, type Repeat, writeResults } from './runner/report.ts';
import { type FileResult, tallyLine, tallyOf } from './runner/results.ts';
import { runFiles, type Work } from './runner/workers.ts';
import { setUpRun, tearDownRun } from './support/run-setup.ts';
import { size } from './support/size.ts';

/**
 * The program behind `npm test [-- <file or folder> …] [--lane gate|rest|all] [--grep <pattern>] [--bail]`. Without files, it
 * runs the gate. The output ends with the tally. The results of each file are in `test-results/<lane>.json`, or in `last.json`
 * if files were named.
 */

/** The number of processes that run test files, which mostly wait. `TEST_WORKERS` sets another number. */
const WORKERS = Number(process.env['TEST_WORKERS'] ?? availableParallelism() + size(1, 0));

const { values: given, positionals } = parseArgs({
  options: { lane: { type: 'string', default: 'gate' }, grep: { type: 'string' }, bail: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const lane = LANES.find((one) => one === given.lane);
if (lane === undefined) throw new Error(`there is no lane "${given.lane}"; there are ${LANES.join(', ')}`);
const areNamed = positionals.length > 0;
const files = areNamed ? filesNamed(positionals) : filesOf(lane);

// Without this cache, each process that a test starts would compile the service again, which takes a quarter of a second.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url));

const results = new Map<string, FileResult>();
const repeats: Repeat[] = [];

function ended(result: FileResult): boolean {
  results.set(result.file, result);
  printFile(result, { withOutline: areNamed && files.length < 10 });
  return !given.bail || result.failed.length === 0;
}

async function runAll(): Promise<void> {
  const others = files.filter((file) => isRoot && !areNamed && isForNormalUser(file));
  const ours = files.filter((file) => !others.includes(file));
  using user = others.length > 0 ? new NormalUser() : undefined;
  const common = { grep: given.grep, ended };
  await Promise.all([
    runFiles({ files: ours.filter((file) => !isAlone(file)), workers: WORKERS, ...common }),
    runFiles({ files: others, workers: 1, as: user?.as, ...common }),
  ]);
  await runFiles({ files: ours.filter(isAlone), workers: 1, ...common });
  if (!areNamed) await repeatFailed((file) => ({ ...common, as: others.includes(file) ? user?.as : undefined }));
}

async function repeatFailed(how: (file: string) => Pick<Work, 'as' | 'grep' | 'ended'>): Promise<void> {
  for (const file of filesToRepeat([...results.values()])) {
    const first = results.get(file);
    console.log(`\nonce more, alone: ${file}`);
    await runFiles({ files: [file], workers: 1, ...how(file) });
    if (first !== undefined && results.get(file)?.failed.length === 0) repeats.push(first);
  }
}

await setUpRun();
try {
  await runAll();
} finally {
  await tearDownRun();
}
const all = [...results.values()];
const tally = tallyOf(all);
writeResults(areNamed ? 'last' : lane, { repeats, files: all });
printEnd(all);
printRepeats(repeats);
console.log(`\n${tallyLine(tally)}`);
process.exitCode = tally.failed > 0 ? 1 : 0;
