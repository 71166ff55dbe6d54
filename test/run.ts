import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const TESTS = new URL('.', import.meta.url);
/** Mostly at work, while much in the other half waits. */
const BUSY = ['api', 'cli', 'contract', 'core', 'process', 'rules', 'scripts-runtime', 'sdk'];
/** Whatever folders there are. What judges time (`security`) comes last in its half, when the other is over. */
const OTHERS = readdirSync(TESTS).filter((name) => !BUSY.includes(name) && statSync(new URL(name, TESTS)).isDirectory());
const MOCHA = fileURLToPath(new URL('../node_modules/mocha/bin/mocha.js', import.meta.url));
const FAILURES = /^\S* *\d+ failing\b.*?(?=^(?:SKIPPED:|\d+ passed))/ms;
const TALLY = /^(\d+) passed, (\d+) failed, (\d+) skipped$/m;

interface Half {
  readonly code: number;
  readonly output: string;
}

/** @param live shown while it comes; else at its end, so that the two are not mixed up more than once */
async function run(spec: string, live: boolean): Promise<Half> {
  const mocha = spawn(process.execPath, [MOCHA, spec], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number>((resolve) => mocha.once('close', (code) => resolve(code ?? 1)));
  if (live) mocha.stdout.on('data', (chunk: Buffer) => process.stdout.write(chunk));
  const output = await text(mocha.stdout);
  if (!live) process.stdout.write(output);
  return { code: await ended, output };
}

/** A half without a tally has not come to its end: that is a failure, too. */
function tallyOf({ output }: Half): readonly [number, number, number] {
  const [, passed = 0, failed = 1, skipped = 0] = TALLY.exec(output) ?? [];
  return [Number(passed), Number(failed), Number(skipped)];
}

// Two at a time, one for each processor.
const halves = await Promise.all([
  run(`{test/{${BUSY.join()}},plugins}/**/*.test.ts`, false),
  run(`test/{${OTHERS.join()}}/**/*.test.ts`, true),
]);
const [passed, failed, skipped] = [0, 1, 2].map((at) => halves.reduce((sum, half) => sum + (tallyOf(half)[at] ?? 0), 0));
// Once more, below the thousands of lines that both have printed.
for (const { output } of halves) console.log(FAILURES.exec(output)?.[0] ?? '');
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = halves.some(({ code }) => code !== 0) || failed !== 0 ? 1 : 0;
