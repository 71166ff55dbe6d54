import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Command } from './command-loop.ts';
import { LOOPBACK_ONLY } from './loopback-only.ts';
import { isLong, size } from './size.ts';

const CLI = fileURLToPath(new URL('../../core/cli/main.ts', import.meta.url));
const LOOP = fileURLToPath(new URL('./command-loop.ts', import.meta.url));
const TIMEOUT_MS = size(120_000, 1_200_000);
const END_MS = 30_000;

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs one command of the service's command line in a separate process.
 *
 * @param env the environment variables of the process, in addition to PATH, HOME and NODE_COMPILE_CACHE
 */
export function runCommand(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<CommandResult> {
  const { promise, resolve } = Promise.withResolvers<CommandResult>();
  execFile(
    process.execPath,
    [...LOOPBACK_ONLY, CLI, ...args],
    { env: bare(env), timeout: TIMEOUT_MS, killSignal: 'SIGKILL' },
    (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, stdout, stderr });
    },
  );
  return promise;
}

/**
 * Runs commands one after the other in one process. This process loads the service's modules only once, which saves half a second
 * per command. It is for tests of what a command prints and does, but not for tests of its process (Node's options, signals, or
 * simultaneous commands). With `TEST_SIZE=long`, each command runs in a separate process here, too.
 */
export class CommandLine implements AsyncDisposable {
  #child: ChildProcess | undefined;
  #last: Promise<unknown> = Promise.resolve();

  readonly run = (env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<CommandResult> => {
    if (isLong) return runCommand(env, ...args);
    const result = this.#last.then(() => this.#ask({ env: bare(env), args }));
    this.#last = result.catch(() => undefined);
    return result;
  };

  async #ask(command: Command): Promise<CommandResult> {
    this.#child ??= fork(LOOP, { env: bare({}), execArgv: [...LOOPBACK_ONLY] });
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const answered = once(this.#child, 'message', { signal }).then(([result]) => result);
    const ended = once(this.#child, 'exit', { signal }).then(([code]) => {
      throw new Error(`the process ended with ${code} during: ${command.args.join(' ')}`);
    });
    this.#child.send(command);
    try {
      return await Promise.race([answered, ended]);
    } finally {
      over.abort();
    }
  }

  /** Waits until the process ends by itself. @throws if it does not, because a command has left something open */
  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    const late = setTimeout(() => child.kill('SIGKILL'), END_MS);
    child.disconnect();
    const [, signal] = await ended;
    clearTimeout(late);
    if (signal !== null) throw new Error('a command has left something open');
  }
}

function bare(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  return { PATH, HOME, NODE_COMPILE_CACHE, ...env };
}
