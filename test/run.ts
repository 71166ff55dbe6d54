import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** Two at a time, one for each processor; what judges time comes last in the longer one, when the other is over. */
const HALVES = [
  '{test/{api,contract,rules,sdk},plugins}/**/*.test.ts',
  'test/{cli,core,faults,flows,process,scripts-runtime,security}/**/*.test.ts',
];
const MOCHA = fileURLToPath(new URL('../node_modules/mocha/bin/mocha.js', import.meta.url));
const TALLY = /^(\d+) passed, (\d+) failed, (\d+) skipped$/m;

interface Half {
  readonly code: number;
  readonly output: string;
}

async function run(spec: string): Promise<Half> {
  const mocha = spawn(process.execPath, [MOCHA, spec], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number>((resolve) => mocha.once('close', (code) => resolve(code ?? 1)));
  const output = await text(mocha.stdout);
  process.stdout.write(output);
  return { code: await ended, output };
}

/** A half without a tally has not come to its end: that is a failure, too. */
function tallyOf({ output }: Half): readonly [number, number, number] {
  const [, passed = 0, failed = 1, skipped = 0] = TALLY.exec(output) ?? [];
  return [Number(passed), Number(failed), Number(skipped)];
}

const halves = await Promise.all(HALVES.map(run));
const [passed, failed, skipped] = [0, 1, 2].map((at) => halves.reduce((sum, half) => sum + (tallyOf(half)[at] ?? 0), 0));
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = halves.some(({ code }) => code !== 0) || failed !== 0 ? 1 : 0;
