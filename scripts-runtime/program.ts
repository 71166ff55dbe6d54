import { readFileSync, realpathSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const GUEST_MODULES = ['./guest-url.js', './guest-web.js', './guest.js'];

/** The program of a runner: the arguments with which Node starts, and the guest: the service's own code in each isolate. */
export interface Program {
  readonly arguments: readonly string[];
  /** JSON that maps names of the guest's modules, as imported, to their sources; each follows the modules that it imports. */
  readonly guest: string;
}

/**
 * Returns the child program as one text of JavaScript for the command line. If the child loaded its own files, Node would bring
 * its TypeScript stripper into every runner (60 ms and 17 MB each), and the files would have to be readable. This way it may read
 * only isolated-vm, its loader, and the file by which that loader detects the C library.
 *
 * isolated-vm needs `--no-node-snapshot`, and `--allow-addons` because it is an addon. With one thread for V8's own work, a
 * script that fills its heap takes one processor, not all of them.
 */
export function readProgram(): Program {
  const addon = createRequire(import.meta.url).resolve('isolated-vm');
  const loader = createRequire(addon).resolve('node-gyp-build');
  const readable = [folderOf(addon), folderOf(loader), '/etc/alpine-release'];
  return {
    arguments: [
      '--no-node-snapshot',
      '--single-threaded-gc',
      '--v8-pool-size=1',
      '--permission',
      '--allow-addons',
      ...readable.map((path) => `--allow-fs-read=${path}`),
      '--input-type=module',
      '--eval',
      linked('child.ts', { 'isolated-vm': pathToFileURL(addon).href }),
    ],
    guest: JSON.stringify(Object.fromEntries(GUEST_MODULES.map((name) => [name, textOf(name)]))),
  };
}

function folderOf(file: string): string {
  return dirname(realpathSync(file));
}

function textOf(name: string): string {
  return readFileSync(fileURLToPath(new URL(name, import.meta.url)), 'utf8');
}

/** Returns a module without its types, in which every import of a file beside it is replaced with that file as a `data:` URL. */
function linked(name: string, packages: Readonly<Record<string, string>> = {}): string {
  return stripped(textOf(name)).replace(/(from )'(\.\/[^']+|isolated-vm)'/g, (_, from: string, specifier: string) => {
    const address = packages[specifier] ?? `data:text/javascript;base64,${Buffer.from(linked(specifier)).toString('base64')}`;
    return `${from}'${address}'`;
  });
}

/**
 * Strips the types from a module. Node's warning that this function is experimental is suppressed, because Node runs every `.ts`
 * file of this project with it anyway.
 */
function stripped(text: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(text);
  } finally {
    process.emitWarning = emitWarning;
  }
}
