import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildClient } from '../../sdk/node/build.ts';
import { projectFolder } from './source-files.ts';
import { type Compiler, complaints } from './typescript-folder.ts';

const run = promisify(execFile);

/** A program that has installed the Node client. Its folder contains the client's built package and Node's types. */
export interface ClientUser extends AsyncDisposable {
  readonly folder: string;
  /** Runs the TypeScript compiler in the program's folder. @returns its messages, or an empty text if there are none */
  compile(args: readonly string[], compiler?: Compiler): string;
}

/**
 * Creates a program that has installed the Node client.
 *
 * @param install puts the client's package into the folder that it is given; default: a freshly built package
 */
export async function installClient(install: (folder: string) => Promise<void> = installBuilt): Promise<ClientUser> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-client-'));
  const installed = join(folder, 'node_modules/svc-node');
  await mkdir(join(folder, 'node_modules/@types'), { recursive: true });
  await mkdir(installed);
  await install(installed);
  for (const name of ['@types/node', 'undici-types']) {
    await symlink(join(projectFolder, 'node_modules', name), join(folder, 'node_modules', name));
  }
  return {
    folder,
    compile: (args, compiler) => complaints(folder, args, compiler).join('\n'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

async function installBuilt(folder: string): Promise<void> {
  await cp(join(projectFolder, 'sdk/node/package.json'), join(folder, 'package.json'));
  buildClient(join(folder, 'dist'));
}

/** Installs the client's package as users get it: packed by `npm pack` and unpacked again. */
export async function installPacked(folder: string): Promise<void> {
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: join(projectFolder, 'sdk/node') });
  await run('tar', ['-xzf', 'svc-node-1.0.0.tgz', '--strip-components', '1'], { cwd: folder });
}
