import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildClient } from '../../sdk/node/build.ts';
import { projectFolder } from './source-files.ts';

const run = promisify(execFile);
const tsc = join(projectFolder, 'node_modules/typescript/bin/tsc');

/** A folder as that of a program which has installed the Node client: the built package, and Node's types. */
export interface ClientUser extends AsyncDisposable {
  readonly folder: string;
  /** @param args for the compiler, run in the folder; @returns what it complains of */
  compile(...args: readonly string[]): Promise<string>;
}

export async function installClient(): Promise<ClientUser> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-client-'));
  const installed = join(folder, 'node_modules/svc-node');
  await mkdir(join(folder, 'node_modules/@types'), { recursive: true });
  await cp(join(projectFolder, 'sdk/node/package.json'), join(installed, 'package.json'));
  buildClient(join(installed, 'dist'));
  for (const name of ['@types/node', 'undici-types']) {
    await symlink(join(projectFolder, 'node_modules', name), join(folder, 'node_modules', name));
  }
  return {
    folder,
    async compile(...args) {
      // The compiler writes its complaints to stdout and exits with 1 or 2.
      const failed = ({ stdout }: { readonly stdout: string }) => ({ stdout });
      return (await run(process.execPath, [tsc, ...args], { cwd: folder }).catch(failed)).stdout;
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
