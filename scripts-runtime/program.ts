import { readFileSync, realpathSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const GUEST_MODULES = ['./guest-url.js', './guest-web.js', './guest.js'];

/** How a runner is started: Node's options, and the code of each isolate. */
export interface Program {
  readonly arguments: readonly string[];
  /** JSON: name, as it is imported, to text; each after those that it imports. */
  readonly guest: string;
}

/**
 * The child as one text of JavaScript on the command line. If the child loaded its own files, Node would bring its TypeScript
 * stripper into every runner (60 ms and 17 MB each), and the files would have to be readable. Like this it may read isolated-vm
 * with its loader, and that loader's one probe for the kind of C library; nothing else.
 *
 * isolated-vm needs `--no-node-snapshot`; `--allow-addons` because it is one. With one thread for V8's own work a script that
 * fills its heap takes one processor, not all of them.
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

/** A module without its types, in which each import of a file beside it is that file as a `data:` address. */
function linked(name: string, packages: Readonly<Record<string, string>> = {}): string {
  return stripped(textOf(name)).replace(/(from )'(\.\/[^']+|isolated-vm)'/g, (_, from: string, specifier: string) => {
    const address = packages[specifier] ?? `data:text/javascript;base64,${Buffer.from(linked(specifier)).toString('base64')}`;
    return `${from}'${address}'`;
  });
}

/** Node says of this function, once, that it is experimental: it is the one that runs every `.ts` file of ours anyway. */
function stripped(text: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(text);
  } finally {
    process.emitWarning = emitWarning;
  }
}
