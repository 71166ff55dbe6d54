import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { size } from './support/size.ts';

const TESTS = new URL('.', import.meta.url);
/** Judges times and memory, and therefore runs alone. */
const LOAD = 'load';
/** Takes about as long as all the others together. */
const FIRST_HALF = ['api', 'cli', 'core', 'process', 'scripts-runtime', 'sdk', 'security'];
const OTHERS = readdirSync(TESTS).filter(
  (name) => name !== LOAD && !FIRST_HALF.includes(name) && statSync(new URL(name, TESTS)).isDirectory(),
);
const MOCHA = fileURLToPath(new URL('../node_modules/mocha/bin/mocha.js', import.meta.url));
/** Longer than any test takes: what prints nothing for as long hangs, in a loop or on something left open. */
const SILENT_MS = size(5, 60) * 60_000;
const FAILURES = /^\S* *\d+ failing\b.*?(?=^(?:SKIPPED:|\d+ passed))/ms;
const TALLY = /^(\d+) passed, (\d+) failed, (\d+) skipped$/m;

interface Part {
  readonly code: number;
  readonly output: string;
}

/** @param shown from when on its output is shown: that of two at a time would be mixed up */
async function run(spec: string, shown: Promise<unknown>): Promise<Part> {
  // No stream of ours is handed down: a process left behind by a test would keep it open after our end.
  const mocha = spawn(process.execPath, [MOCHA, spec], { stdio: ['ignore', 'pipe', 'pipe'] });
  const streams = [mocha.stdout, mocha.stderr];
  const hanging = setTimeout(() => {
    console.log(`${spec}: nothing printed for ${SILENT_MS / 60_000} minutes, stopped. What runs:`);
    console.log(spawnSync('ps', ['-ef'], { encoding: 'utf8' }).stdout);
    mocha.kill('SIGKILL');
    for (const stream of streams) stream.destroy();
  }, SILENT_MS);
  let output = '';
  let isShown = false;
  for (const stream of streams) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      hanging.refresh();
      output += chunk;
      if (isShown) process.stdout.write(chunk);
    });
  }
  void shown.then(() => {
    process.stdout.write(output);
    isShown = true;
  });
  const code = await new Promise<number>((resolve) => mocha.once('close', (code) => resolve(code ?? 1)));
  clearTimeout(hanging);
  return { code, output };
}

/** A part without a tally has not come to its end: that is a failure, too. */
function tallyOf({ output }: Part): readonly [number, number, number] {
  const [, passed = 0, failed = 1, skipped = 0] = TALLY.exec(output) ?? [];
  return [Number(passed), Number(failed), Number(skipped)];
}

// Two at a time, one for each processor.
const others = run(`test/{${OTHERS.join()}}/**/*.test.ts`, Promise.resolve());
const firstHalf = run(`{test/{${FIRST_HALF.join()}},plugins}/**/*.test.ts`, others);
const halves = [await others, await firstHalf];
const parts = [...halves, await run(`test/${LOAD}/**/*.test.ts`, Promise.resolve())];
const [passed, failed, skipped] = [0, 1, 2].map((at) => parts.reduce((sum, part) => sum + (tallyOf(part)[at] ?? 0), 0));
// Once more, below the thousands of lines that all have printed.
for (const { output } of parts) console.log(FAILURES.exec(output)?.[0] ?? '');
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = parts.some(({ code }) => code !== 0) || failed !== 0 ? 1 : 0;
