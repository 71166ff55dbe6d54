import { spawn, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { size } from './support/size.ts';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const MOCHA = fileURLToPath(new URL('../node_modules/mocha/bin/mocha.js', import.meta.url));
/** The folders whose files take longest. */
const SLOW = ['test/faults', 'test/process', 'test/cli', 'test/browser', 'test/security', 'test/flows'];
/** Judges times and memory, and therefore runs alone, one file after the other. */
const ALONE = 'test/load';
/** Tests wait for processes and for time more than they compute. */
const WORKERS = availableParallelism() + size(1, 0);
/** Longer than any file takes: a run that prints nothing for as long hangs, in a loop or on something left open. */
const SILENT_MS = size(5, 60) * 60_000;
const FAILURES = /^\S* *\d+ failing\b.*?(?=^(?:SKIPPED:|\d+ passed))/ms;
const TALLY = /^(\d+) passed, (\d+) failed, (\d+) skipped$/m;

interface Part {
  readonly code: number;
  readonly output: string;
}

// Each process that a test starts would compile the service anew: a quarter of a second.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url));

async function run(args: readonly string[]): Promise<Part> {
  // No stream of ours is handed down: a process left behind by a test would keep it open after our end.
  const mocha = spawn(process.execPath, [MOCHA, ...args], { cwd: PROJECT, stdio: ['ignore', 'pipe', 'pipe'] });
  const streams = [mocha.stdout, mocha.stderr];
  const hanging = setTimeout(() => {
    console.log(`nothing printed for ${SILENT_MS / 60_000} minutes, stopped. Processes that run:`);
    console.log(spawnSync('ps', ['-ef'], { encoding: 'utf8' }).stdout);
    mocha.kill('SIGKILL');
    for (const stream of streams) stream.destroy();
  }, SILENT_MS);
  let output = '';
  for (const stream of streams) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      hanging.refresh();
      output += chunk;
      process.stdout.write(chunk);
    });
  }
  const code = await new Promise<number>((resolve) => mocha.once('close', (code) => resolve(code ?? 1)));
  clearTimeout(hanging);
  return { code, output };
}

/** A part without a tally has not come to its end: that is a failure, too. */
function tallyOf({ output }: Part): readonly [number, number, number] {
  const [, passed = 0, failed = 1, skipped = 0] = TALLY.exec(output) ?? [];
  return [Number(passed), Number(failed), Number(skipped)];
}

/** Slow ones first: none is left over for one worker at the end. Mixed, since some of them wait and others compute. */
function filesInOrder(): readonly string[] {
  const files = globSync('{test,plugins,providers}/**/*.test.ts', { cwd: PROJECT }).filter((file) => !file.startsWith(ALONE));
  const slow = SLOW.map((folder) => files.filter((file) => file.startsWith(folder)).sort());
  const places = slow.flatMap((own) => own.map((file, at) => [at / own.length, file] as const));
  const mixed = places.toSorted(([one], [other]) => one - other).map(([, file]) => file);
  return [...mixed, ...files.filter((file) => !mixed.includes(file)).sort()];
}

const parts = [await run(['--parallel', '--jobs', String(WORKERS), ...filesInOrder()]), await run([`${ALONE}/**/*.test.ts`])];
const [passed, failed, skipped] = [0, 1, 2].map((at) => parts.reduce((sum, part) => sum + (tallyOf(part)[at] ?? 0), 0));
// Once more, below the thousands of lines that all have printed.
for (const { output } of parts) console.log(FAILURES.exec(output)?.[0] ?? '');
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = parts.some(({ code }) => code !== 0) || failed !== 0 ? 1 : 0;
