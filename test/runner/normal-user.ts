import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Work } from './workers.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const NOBODY = 65_534;

export const isRoot = process.geteuid?.() === 0;

/** A copy of the tree that belongs to a user other than root, for workers that run as that user. Disposal removes it. */
export class NormalUser implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'svc-normal-user-'));
  readonly as: Work['as'];

  constructor() {
    const cwd = join(this.#folder, 'svc');
    execFileSync('cp', ['-a', PROJECT, cwd]);
    execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, this.#folder]);
    const commands = join(cwd, 'node_modules/.bin');
    const env = {
      ...process.env,
      HOME: this.#folder,
      PATH: `${commands}:${process.env['PATH']}`,
      NODE_COMPILE_CACHE: join(cwd, 'node_modules/.cache/node'),
    };
    const execPath = join(cwd, relative(PROJECT, process.execPath));
    this.as = { cwd, env, execPath, uid: NOBODY, gid: NOBODY };
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
