import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { LOOPBACK_ONLY } from './loopback-only.ts';

const MAIN = fileURLToPath(new URL('../../examples/demo/main.ts', import.meta.url));

export interface DemoOptions {
  readonly args?: readonly string[];
  /** Added to a bare environment: of the test's own, only PATH, HOME and NODE_COMPILE_CACHE reach the demo. */
  readonly env?: Readonly<Record<string, string>>;
}

/** `npm run demo` in a process of its own, ended by disposal as Ctrl-C would. */
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

  /** Resolves with the match as soon as it is printed. @throws when the demo ends without */
  async printed(pattern: RegExp): Promise<RegExpMatchArray> {
    for (;;) {
      const match = this.#output.match(pattern);
      if (match !== null) return match;
      const ended = await Promise.race([this.exitCode.then(() => true), once(this.#child.stdout ?? this.#child, 'data')]);
      if (ended === true && this.#output.match(pattern) === null) throw new Error(`the demo ended early:\n${this.#output}`);
    }
  }

  /** Twice, since npm passes on what the terminal has sent to everybody. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGINT');
    setTimeout(() => this.#child.kill('SIGINT'), 50);
    await this.exitCode;
  }
}
