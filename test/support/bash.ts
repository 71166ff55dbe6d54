import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A shell that runs blocks of commands one after the other and returns the output of the last one. */
export class Bash {
  readonly #env: Readonly<Record<string, string>>;
  readonly #folder: string | undefined;

  /** @param folder the folder in which it runs; default: that of this process */
  constructor(env: Readonly<Record<string, string>>, folder?: string) {
    this.#env = { PATH: process.env['PATH'] ?? '', ...env };
    this.#folder = folder;
  }

  async run(...blocks: readonly string[]): Promise<string> {
    const before = blocks.slice(0, -1).map((code) => `{ ${code}\n} > /dev/null\n`);
    const script = ['set -euo pipefail\n', ...before, blocks.at(-1) ?? ''].join('');
    const { stdout } = await promisify(execFile)('bash', ['-c', script], {
      env: this.#env,
      cwd: this.#folder,
      timeout: 20_000,
    });
    return stdout;
  }
}
