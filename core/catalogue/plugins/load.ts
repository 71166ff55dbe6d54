import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ProviderPlugin, SLUG } from '#contract';
import { type Fault, type Folder, listAllFolders, type Replacement } from '../folders.ts';
import { offerContract } from './offer-contract.ts';
import { probePlugins } from './probe-plugins.ts';
import { PluginFault, readPlugin } from './read-plugin.ts';

const FILE = 'plugin.ts';
const PROJECT = new URL('../../../', import.meta.url).href;

export interface LoadedPlugins {
  /** The plugins by the names of their folders. */
  readonly plugins: ReadonlyMap<string, ProviderPlugin>;
  /**
   * One fault for each folder that was left out. The service logs the faults and runs without these plugins; `svc plugin check`
   * fails.
   */
  readonly faults: readonly Fault[];
  /** Bundled plugins that are replaced by the operator's own. */
  readonly replacements: readonly Replacement[];
}

/**
 * Loads every `<dir>/<name>/plugin.ts`. A faulty folder does not prevent others from being loaded. If a name occurs twice, the
 * first folder counts, except that the operator's own plugin, even a faulty one, replaces a bundled one.
 */
export async function loadPlugins(dirs: readonly string[], bundled: readonly string[] = []): Promise<LoadedPlugins> {
  await offerContract(dirs);
  const { folders, faults } = listAllFolders(dirs, bundled);
  const present = folders.filter((folder) => existsSync(fileOf(folder)));
  const unsafe = await probePlugins({ dirs, modules: present.map(moduleOf).filter((module) => !module.startsWith(PROJECT)) });
  const plugins = new Map<string, ProviderPlugin>();
  const own = new Map<string, Folder>();
  const replacements: Replacement[] = [];
  for (const folder of present) {
    const replacing = own.get(folder.name);
    if (!folder.isBundled) own.set(folder.name, folder);
    else if (replacing !== undefined) {
      replacements.push({ folder: folder.name, file: fileOf(replacing), replaced: fileOf(folder) });
      continue;
    }
    try {
      if (plugins.has(folder.name)) throw new PluginFault('a plugin of this name is already loaded from an earlier folder');
      plugins.set(folder.name, await loadPlugin(folder, unsafe));
    } catch (cause) {
      faults.push(faultOf(folder, cause));
    }
  }
  return { plugins, faults, replacements };
}

async function loadPlugin(folder: Folder, unsafe: ReadonlyMap<string, string>): Promise<ProviderPlugin> {
  if (!SLUG.test(folder.name)) {
    throw new PluginFault(
      'the folder name must be lower-case letters, digits and hyphens, at most 63, not beginning with a hyphen',
    );
  }
  const reason = unsafe.get(moduleOf(folder));
  if (reason !== undefined) throw new PluginFault(reason);
  const loaded: unknown = await import(moduleOf(folder));
  return readPlugin(loaded);
}

function fileOf({ directory }: Folder): string {
  return join(directory, FILE);
}

function moduleOf(folder: Folder): string {
  return pathToFileURL(fileOf(folder)).href;
}

function faultOf(folder: Folder, cause: unknown): Fault {
  const reason = cause instanceof Error ? cause.message : 'threw something that is not an Error';
  const isOurs = cause instanceof PluginFault;
  // The stack of a fault that the service itself found leads to the service's code, not to the plugin's.
  const place = isOurs ? { file: fileOf(folder) } : placeOf(folder, cause);
  return { folder: folder.name, ...place, reason, ...(isOurs && { publicReason: reason }) };
}

function placeOf(folder: Folder, cause: unknown): ThrownPlace {
  return thrownAt(folder.directory, cause) ?? { file: fileOf(folder) };
}

interface ThrownPlace {
  readonly file: string;
  readonly line?: number;
}

/**
 * Finds where in a folder an error was thrown. The stack of a syntax error begins with `file:///…/plugin.ts:3`; the stack of a
 * thrown error has frames such as `(file:///…/plugin.ts:3:7)`.
 *
 * @returns undefined if no frame is in that folder
 */
export function thrownAt(directory: string, cause: unknown): ThrownPlace | undefined {
  const base = `${pathToFileURL(directory).href}/`;
  const stack = cause instanceof Error ? (cause.stack ?? '') : '';
  const start = stack.indexOf(base);
  const [, name, line] = /^([^\s:]+):(\d+)/.exec(start === -1 ? '' : stack.slice(start + base.length)) ?? [];
  return name === undefined ? undefined : { file: join(directory, decodeURIComponent(name)), line: Number(line) };
}
