import '../support/loopback-only.ts';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format } from 'node:util';
import Mocha from 'mocha';
import { secretsAreOf } from '../support/canaries.ts';
import { spentOnSweeps } from '../support/spent.ts';
import { endWork } from '../support/worker-end.ts';
import type { FileResult, FileTimes } from './results.ts';

/** An order from the parent process. This process runs one test file after another and sends back the result of each. */

export interface Order {
  /** The path of a test file, relative to the project; in the last order, the name under which the worker's end is reported. */
  readonly file: string;
  readonly grep?: string | undefined;
  readonly isEnd?: boolean;
}

const { Base, Spec } = Mocha.reporters;
const { EVENT_HOOK_END, EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING } = Mocha.Runner.constants;
const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const TIMEOUT_MS = 60_000;
/** The unit in which Linux counts processor time. */
const TICK_MS = 10;

/** The lines that Mocha's reporter has printed since the last `takePrinted`. */
let printed: string[] = [];
Base.consoleLog = (...parts: unknown[]) => void printed.push(format(...parts));

function takePrinted(): string {
  const text = printed.join('\n');
  printed = [];
  return text;
}

interface Recorded {
  readonly passed: string[];
  readonly failed: string[];
  readonly skipped: string[];
  outline: string;
  hooksMs: number;
}

/** Prints the outline, then the failures, and records the titles and times that the parent process also needs. */
class Recorder extends Spec {
  readonly #recorded: Recorded;

  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const recorded: Recorded = options.reporterOptions.recorded;
    this.#recorded = recorded;
    runner.on(EVENT_TEST_PASS, (test) => recorded.passed.push(test.fullTitle()));
    runner.on(EVENT_TEST_FAIL, (test) => recorded.failed.push(test.fullTitle()));
    runner.on(EVENT_TEST_PENDING, (test) => recorded.skipped.push(test.fullTitle()));
    runner.on(EVENT_HOOK_END, (hook) => {
      recorded.hooksMs += hook.duration ?? 0;
    });
  }

  override epilogue(): void {
    this.#recorded.outline = takePrinted();
    if (this.failures.length > 0) Base.list(this.failures);
  }
}

async function runFile(file: string, grep: string | undefined): Promise<FileResult> {
  secretsAreOf(file);
  const begun = timesSoFar();
  const recorded: Recorded = { passed: [], failed: [], skipped: [], outline: '', hooksMs: 0 };
  const mocha = new Mocha({
    timeout: TIMEOUT_MS,
    forbidOnly: true,
    reporter: Recorder,
    reporterOptions: { recorded },
    ...(grep !== undefined && { grep }),
  });
  mocha.addFile(`${PROJECT}${file}`);
  let unloadable = '';
  try {
    await mocha.loadFilesAsync();
    await new Promise((resolve) => mocha.run(resolve));
  } catch (error) {
    recorded.failed.push(`${file} can be loaded`);
    unloadable = `${file} cannot be loaded: ${format(error)}`;
  }
  mocha.dispose();
  const { hooksMs, ...titles } = recorded;
  return { file, ...titles, failures: takePrinted() + unloadable, times: { ...timesSince(begun), hooks: hooksMs } };
}

function timesSoFar(): FileTimes {
  return { total: performance.now(), hooks: 0, sweep: spentOnSweeps(), processors: processorMs() };
}

function timesSince(begun: FileTimes): FileTimes {
  const now = timesSoFar();
  return {
    total: now.total - begun.total,
    hooks: 0,
    sweep: now.sweep - begun.sweep,
    processors: now.processors - begun.processors,
  };
}

/** Returns the processor time of this process and of its children that have ended (`proc(5)`, fields 16 and 17 of `stat`). */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + childrenMs();
}

function childrenMs(): number {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(afterName[13]) + Number(afterName[14])) * TICK_MS;
}

/** Ends the resources that several files share: a browser, and a service, whose last sweep may find a leaked secret. */
async function end(name: string): Promise<FileResult> {
  const begun = timesSoFar();
  const failures = await endWork().then(() => '', format);
  const failed = failures === '' ? [] : ['what the files of a process share ends well, and holds no secret'];
  return { file: name, passed: [], failed, skipped: [], outline: '', failures, times: timesSince(begun) };
}

process.on('message', async ({ file, grep, isEnd }: Order) => {
  if (isEnd) process.send?.(await end(file), () => process.exit());
  else process.send?.(await runFile(file, grep));
});

// An unhandled rejection fails the running test, because Mocha attributes an error that is thrown here to that test.
process.on('unhandledRejection', (reason) => {
  throw reason;
});

// The parent process has ended.
process.on('disconnect', () => process.exit());
