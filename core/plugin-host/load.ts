import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ProviderPlugin, SLUG } from '#contract';
import { type Fault, type Folder, listFolders } from '../catalogue/folders.ts';
import { offerContract } from './offer-contract.ts';
import { readPlugin } from './read-plugin.ts';

const FILE = 'plugin.ts';
const IMPORT_TIMEOUT_MS = 10_000;

export interface LoadedPlugins {
  /** By folder name. */
  readonly plugins: ReadonlyMap<string, ProviderPlugin>;
  /** One for each folder that was left out. The service runs without them and says so; `svc plugin check` fails. */
  readonly faults: readonly Fault[];
}

/** Loads every `<dir>/<name>/plugin.ts`. A broken folder never hides the good ones; of two equal names the first counts. */
export async function loadPlugins(dirs: readonly string[]): Promise<LoadedPlugins> {
  await offerContract(dirs);
  const { folders, faults } = await listFolders(dirs);
  const plugins = new Map<string, ProviderPlugin>();
  for (const folder of folders) {
    if (!(await exists(join(folder.directory, FILE)))) continue;
    try {
      if (plugins.has(folder.name)) throw new Error('a plugin of this name is already loaded from an earlier folder');
      plugins.set(folder.name, await loadPlugin(folder));
    } catch (cause) {
      faults.push(faultOf(folder, cause));
    }
  }
  return { plugins, faults };
}

async function loadPlugin(folder: Folder): Promise<ProviderPlugin> {
  if (!SLUG.test(folder.name)) {
    throw new Error('the folder name must be lower-case letters, digits and hyphens, at most 63, beginning with a letter');
  }
  const loaded: unknown = await withinTime(import(pathToFileURL(join(folder.directory, FILE)).href));
  return readPlugin(loaded);
}

/** A top-level `await` that never ends must not stop the service from starting. */
async function withinTime<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`was not loaded within ${IMPORT_TIMEOUT_MS} ms`)), IMPORT_TIMEOUT_MS);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function faultOf(folder: Folder, cause: unknown): Fault {
  const reason = cause instanceof Error ? cause.message : 'threw something that is not an Error';
  return { folder: folder.name, ...placeOf(folder, cause), reason };
}

/** A syntax error's stack begins with `file:///…/plugin.ts:3`; a thrown error's has frames like `(file:///…/plugin.ts:3:7)`. */
function placeOf(folder: Folder, cause: unknown): { file: string; line?: number } {
  const base = `${pathToFileURL(folder.directory).href}/`;
  const stack = cause instanceof Error ? (cause.stack ?? '') : '';
  const start = stack.indexOf(base);
  const [, name, line] = /^([^\s:]+):(\d+)/.exec(start === -1 ? '' : stack.slice(start + base.length)) ?? [];
  if (name === undefined) return { file: join(folder.directory, FILE) };
  return { file: join(folder.directory, decodeURIComponent(name)), line: Number(line) };
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
