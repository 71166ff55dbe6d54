import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { BUNDLED_PLUGINS, BUNDLED_PROVIDERS } from '../../catalogue/bundled-folders.ts';
import { type Fault, type Provider, readCatalogue } from '../../catalogue/catalogue.ts';
import { loadPlugins } from '../../catalogue/plugins/load.ts';
import { joinPlugins } from '../../catalogue/plugins/plugins.ts';
import { readConfig } from '../../config/read.ts';
import { commandError, usageError } from '../output.ts';
import { rehearse } from '../rehearsal/rehearse.ts';
import type { RehearsalStep } from '../rehearsal/step.ts';

const BUNDLED = [BUNDLED_PROVIDERS, BUNDLED_PLUGINS];
const OPTIONS = { json: { type: 'boolean' } } as const;
/** Files that mark a folder as that of a provider or a plugin. */
const FILES = ['provider.json', 'plugin.ts'];
const WORDS = { ok: 'ok', failed: 'failed', not_applicable: 'n/a', not_walked: 'not walked' } as const;

/** A folder of the author, with all steps that were carried out on it. */
interface CheckedFolder {
  readonly folder: string;
  readonly directory: string;
  readonly steps: readonly RehearsalStep[];
}

/**
 * `plugin check [DIR …]`: loads everything that the service would load at startup, then drives each definition in these folders
 * against a provider in this process. Needs neither the service nor its database.
 *
 * @throws CommandError when a folder fails, or there is none to check
 */
export async function checkPlugins(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  const startedAt = performance.now();
  const checked = await checkFolders(positionals);
  report(checked, { asJson: values.json === true, ms: Math.round(performance.now() - startedAt) });
}

/**
 * Checks the folders of providers and plugins in the given places.
 *
 * @param places directories of folders, or single folders; if empty, the directories of the settings
 */
export async function checkFolders(places: readonly string[]): Promise<readonly CheckedFolder[]> {
  const { dirs, whole, single } = whereToLook(places);
  const catalogue = await readCatalogue(dirs, BUNDLED);
  const loaded = await loadPlugins(dirs, BUNDLED);
  const plugins = joinPlugins(catalogue, loaded);
  const isWanted = (directory: string) => single.includes(directory) || whole.includes(dirname(directory));
  const faults = [...catalogue.faults, ...plugins.faults].filter(({ file }) => isBelow(file, [...whole, ...single]));
  const checked = faultyFolders(faults);
  for (const provider of catalogue.list()) {
    if (!isWanted(provider.directory) || checked.some(({ folder }) => folder === provider.slug)) continue;
    const steps = await rehearse({ provider, plugins, pluginDirectory: pluginDirectoryOf(provider, dirs) });
    checked.push({ folder: provider.slug, directory: provider.directory, steps: [LOADED, ...steps] });
  }
  return [...checked, ...codeOnly(loaded.plugins.keys(), { dirs, isWanted, checked })];
}

const LOADED: RehearsalStep = { name: 'loading', status: 'ok', detail: 'the service loads it' };

interface Places {
  /** Directories to read: those that are checked as a whole, and the parents of single folders. */
  readonly dirs: readonly string[];
  /** Directories in which every folder is checked. */
  readonly whole: readonly string[];
  readonly single: readonly string[];
}

function whereToLook(positionals: readonly string[]): Places {
  const { config } = readConfig();
  if (positionals.length === 0) {
    const dirs = [...config.SVC_PROVIDERS_DIR, ...config.SVC_PLUGINS_DIR].map((dir) => resolve(dir));
    if (dirs.length === 0) throw usageError('plugin check DIR …: name a folder of a plugin, or set SVC_PLUGINS_DIR');
    return { dirs, whole: dirs, single: [] };
  }
  const given = positionals.map((dir) => resolve(dir));
  const single = given.filter((dir) => FILES.some((file) => existsSync(join(dir, file))));
  const whole = given.filter((dir) => !single.includes(dir));
  return { dirs: [...new Set([...whole, ...single.map((dir) => dirname(dir))])], whole, single };
}

function isBelow(file: string, directories: readonly string[]): boolean {
  return directories.some((directory) => file === directory || file.startsWith(`${directory}${sep}`));
}

/**
 * Returns one entry for each folder that cannot be loaded, and one for a directory that cannot be read, although both the search
 * for providers and the search for plugins report it.
 */
function faultyFolders(faults: readonly Fault[]): CheckedFolder[] {
  const different = new Map(faults.map((fault) => [JSON.stringify([fault.file, fault.line, fault.reason]), fault]));
  const byFolder = Map.groupBy(different.values(), ({ folder }) => folder);
  return [...byFolder].map(([folder, own]) => ({
    folder: basename(folder),
    directory: dirname(own[0]?.file ?? folder),
    steps: own.map(({ file, line, reason }) => ({
      name: 'loading',
      status: 'failed',
      detail: reason,
      file,
      ...(line !== undefined && { line }),
    })),
  }));
}

/** Returns the folder of the plugin that serves a provider, if it is one of the author's. */
function pluginDirectoryOf({ slug, definition }: Provider, dirs: readonly string[]): string | undefined {
  const folders = dirs.map((dir) => join(dir, definition.plugin ?? slug));
  return folders.find((folder) => existsSync(join(folder, 'plugin.ts')));
}

interface Known {
  readonly dirs: readonly string[];
  readonly isWanted: (directory: string) => boolean;
  readonly checked: readonly CheckedFolder[];
}

/** Returns an entry for each plugin whose folder has no definition: it is driven only through the providers that name it. */
function codeOnly(names: Iterable<string>, { dirs, isWanted, checked }: Known): CheckedFolder[] {
  return [...names].flatMap((folder) => {
    const directory = dirs.map((dir) => join(dir, folder)).find((dir) => existsSync(join(dir, 'plugin.ts')));
    if (directory === undefined || !isWanted(directory) || checked.some((one) => one.folder === folder)) return [];
    const detail = 'there is no provider.json: check the folder of a provider that names this plugin';
    return [{ folder, directory, steps: [LOADED, { name: 'connection', status: 'not_walked', detail }] }];
  });
}

function report(checked: readonly CheckedFolder[], { asJson, ms }: { readonly asJson: boolean; readonly ms: number }): void {
  if (checked.length === 0) throw commandError('there is no folder with a provider.json or a plugin.ts');
  const steps = checked.flatMap((one) => one.steps);
  const count = (status: RehearsalStep['status']) => steps.filter((step) => step.status === status).length;
  if (asJson) console.log(JSON.stringify({ folders: checked, ok: count('ok'), failed: count('failed'), ms }));
  else {
    for (const one of checked) print(one);
    console.log(
      `${checked.length} checked in ${ms} ms: ${count('ok')} ok, ${count('failed')} failed, ${count('not_walked')} not walked`,
    );
  }
  const failed = checked.filter((one) => one.steps.some(({ status }) => status === 'failed')).map(({ folder }) => folder);
  if (failed.length > 0) throw commandError(`checks failed: ${failed.join(', ')}`);
}

function print({ folder, steps }: CheckedFolder): void {
  console.log(folder);
  for (const { name, status, detail, file, line, advice } of steps) {
    console.log(`  ${WORDS[status].padEnd(10)}  ${name.padEnd(17)}  ${detail}`);
    if (file !== undefined) console.log(`${' '.repeat(33)}at ${shownPath(file)}${line === undefined ? '' : `:${line}`}`);
    if (advice !== undefined) console.log(`${' '.repeat(33)}${advice}`);
  }
}

/** Returns a path relative to the working directory, or the absolute one for a file outside it. */
function shownPath(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith('..') ? file : path;
}
