import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

interface Surroundings {
  readonly uid?: number;
  readonly gid?: number;
  readonly within?: (command: readonly string[]) => readonly string[];
}

/** Runs one of the programs beside this file in a separate process, which ends at disposal. */
export class Program implements AsyncDisposable {
  readonly process: ChildProcessByStdio<null, Readable, null>;
  /** The lines of standard output, each of which is read once. */
  readonly lines: AsyncIterator<string>;
  readonly exit: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;

  /** @param within wraps the command, for example to run it in its own namespaces */
  constructor(name: string, argument: object, { within, ...identity }: Surroundings = {}) {
    const file = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
    const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
    const command = [process.execPath, file, JSON.stringify(argument)];
    const [program = '', ...args] = within?.(command) ?? command;
    this.process = spawn(program, args, {
      ...identity,
      env: { PATH, NODE_COMPILE_CACHE },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
    this.exit = once(this.process, 'exit').then(([code, signal]) => ({ code, signal }));
  }

  async nextLine(): Promise<string> {
    const { value, done } = await this.lines.next();
    if (done) throw new Error('the program ended without another line');
    return value;
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.process.kill(signal);
    await this.exit;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) await this.kill('SIGTERM');
  }
}
