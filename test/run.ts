import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const TESTS = new URL('.', import.meta.url);
/** Mostly at work, while much in the other half waits. */
const BUSY = ['api', 'cli', 'contract', 'core', 'process', 'rules', 'scripts-runtime', 'sdk'];
/** Whatever folders there are. What judges time (`security`) comes last in its half, when the other is over. */
const OTHERS = readdirSync(TESTS).filter((name) => !BUSY.includes(name) && statSync(new URL(name, TESTS)).isDirectory());
const MOCHA = fileURLToPath(new URL('../node_modules/mocha/bin/mocha.js', import.meta.url));
/** Longer than any test takes: what prints nothing for as long hangs, in a loop or on something left open. */
const SILENT_MS = 300_000;
const FAILURES = /^\S* *\d+ failing\b.*?(?=^(?:SKIPPED:|\d+ passed))/ms;
const TALLY = /^(\d+) passed, (\d+) failed, (\d+) skipped$/m;

interface Half {
  readonly code: number;
  readonly output: string;
}

/** @param shown from when on its output is shown: that of two at a time would be mixed up */
async function run(spec: string, shown: Promise<unknown>): Promise<Half> {
  const mocha = spawn(process.execPath, [MOCHA, spec], { stdio: ['ignore', 'pipe', 'inherit'] });
  const hanging = setTimeout(() => {
    mocha.kill('SIGKILL');
    mocha.stdout.destroy();
  }, SILENT_MS);
  let output = '';
  let isShown = false;
  mocha.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    hanging.refresh();
    output += chunk;
    if (isShown) process.stdout.write(chunk);
  });
  void shown.then(() => {
    process.stdout.write(output);
    isShown = true;
  });
  const code = await new Promise<number>((resolve) => mocha.once('close', (code) => resolve(code ?? 1)));
  clearTimeout(hanging);
  return { code, output };
}

/** A half without a tally has not come to its end: that is a failure, too. */
function tallyOf({ output }: Half): readonly [number, number, number] {
  const [, passed = 0, failed = 1, skipped = 0] = TALLY.exec(output) ?? [];
  return [Number(passed), Number(failed), Number(skipped)];
}

// Two at a time, one for each processor.
const others = run(`test/{${OTHERS.join()}}/**/*.test.ts`, Promise.resolve());
const busy = run(`{test/{${BUSY.join()}},plugins}/**/*.test.ts`, others);
const halves = [await busy, await others];
const [passed, failed, skipped] = [0, 1, 2].map((at) => halves.reduce((sum, half) => sum + (tallyOf(half)[at] ?? 0), 0));
// Once more, below the thousands of lines that both have printed.
for (const { output } of halves) console.log(FAILURES.exec(output)?.[0] ?? '');
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = halves.some(({ code }) => code !== 0) || failed !== 0 ? 1 : 0;
