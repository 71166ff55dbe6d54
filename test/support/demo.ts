import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { LOOPBACK_ONLY } from './loopback-only.ts';

const MAIN = fileURLToPath(new URL('../../examples/demo/main.ts', import.meta.url));

export interface DemoOptions {
  readonly args?: readonly string[];
  /** Environment variables of the demo. From the test's process it inherits only PATH, HOME and NODE_COMPILE_CACHE. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The program that `npm run demo` starts, in a separate process. Disposal ends it as Ctrl-C would. */
export class Demo implements AsyncDisposable {
  readonly exitCode: Promise<number | null>;
  readonly #child: ReturnType<typeof spawn>;
  #output = '';

  constructor({ args = [], env = {} }: DemoOptions = {}) {
    const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
    this.#child = spawn(process.execPath, [...LOOPBACK_ONLY, MAIN, ...args], {
      env: { PATH, HOME, NODE_COMPILE_CACHE, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.#output += text));
    this.exitCode = once(this.#child, 'close').then(([code]) => code);
  }

  get output(): string {
    return this.#output;
  }

  /** Waits until the output matches a pattern. @returns the match @throws if the demo ends without a match */
  async printed(pattern: RegExp): Promise<RegExpMatchArray> {
    for (;;) {
      const match = this.#output.match(pattern);
      if (match !== null) return match;
      const ended = await Promise.race([this.exitCode.then(() => true), once(this.#child.stdout ?? this.#child, 'data')]);
      if (ended === true && this.#output.match(pattern) === null) throw new Error(`the demo ended early:\n${this.#output}`);
    }
  }

  /** Sends SIGINT twice, as Ctrl-C does: the terminal sends it to every process, and npm also passes it on to the demo. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGINT');
    setTimeout(() => this.#child.kill('SIGINT'), 50);
    await this.exitCode;
  }
}
