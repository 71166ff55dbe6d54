import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { didYouMean } from '../../kit/did-you-mean.ts';
import { errorCode } from '../../kit/error-code.ts';
import { isScriptEvent, SCRIPT_EVENTS, type ScriptEvent } from '../../scripts/event.ts';
import { type CommandError, commandError } from '../output.ts';

const EXTENSIONS: readonly string[] = ['.ts', '.js'];
/** Matches the file name of a script, even a misspelled one, or of a module that a script imports. */
const CODE = /(?<!\.d)\.[cm]?[jt]sx?$/;
/** Folders that are not integrations. */
const IGNORED: ReadonlySet<string> = new Set(['node_modules']);

export interface LocalScript {
  readonly integrationKey: string;
  readonly event: ScriptEvent;
  readonly path: string;
}

/** The scripts of a folder, and one message for each fault, which names the file. */
interface ScriptFiles {
  readonly files: readonly LocalScript[];
  readonly faults: readonly string[];
}

/**
 * Finds the scripts of a folder, `<unique_key>/<event>.{ts,js}`, in the order of their names.
 *
 * @throws CommandError when it has none
 */
export async function scriptFiles(dir: string): Promise<ScriptFiles> {
  const files: LocalScript[] = [];
  const faults: string[] = [];
  const keys = await namesIn(dir);
  for (const integrationKey of keys.filter((name) => !name.startsWith('.') && !IGNORED.has(name))) {
    if (!(await stat(join(dir, integrationKey))).isDirectory()) continue;
    const found = await scriptsOf(dir, integrationKey);
    files.push(...found.files);
    faults.push(...found.faults);
  }
  if (files.length + faults.length === 0)
    throw commandError(`${dir} has no scripts: expected files named <unique_key>/<event>.ts or .js`);
  return { files, faults };
}

/** Returns the event that a file is named after; undefined if it is named after none. */
export function eventOf(path: string): ScriptEvent | undefined {
  const extension = extname(path);
  const name = basename(path, extension);
  return EXTENSIONS.includes(extension) && isScriptEvent(name) ? name : undefined;
}

async function scriptsOf(dir: string, integrationKey: string): Promise<ScriptFiles> {
  const folder = join(dir, integrationKey);
  const names = (await namesIn(folder)).filter((name) => !name.startsWith('.'));
  const files = names.flatMap((name) => {
    const event = eventOf(name);
    return event === undefined ? [] : [{ integrationKey, event, path: join(folder, name) }];
  });
  const twice = SCRIPT_EVENTS.filter((event) => files.filter((file) => file.event === event).length > 1);
  const inTwoLanguages = twice.map((event) => `${folder} has ${event} in TypeScript and in JavaScript: remove one`);
  return { files, faults: [...inTwoLanguages, ...(await misnamedIn(folder, names))] };
}

/** Finds code that is neither named after an event nor imported by another file of the folder: it would never run. */
async function misnamedIn(folder: string, names: readonly string[]): Promise<string[]> {
  const unknown = names.filter((name) => CODE.test(name) && eventOf(name) === undefined);
  if (unknown.length === 0) return [];
  const texts = await Promise.all(names.filter((name) => CODE.test(name)).map((name) => textOf(join(folder, name))));
  const isImported = (name: string) => {
    const stem = name.replace(CODE, '');
    return texts.some((text) => text.includes(`./${name}`) || text.includes(`./${stem}'`) || text.includes(`./${stem}"`));
  };
  return unknown.filter((name) => !isImported(name)).map((name) => `${join(folder, name)}: ${misnamed(name)}`);
}

function misnamed(name: string): string {
  const meant = didYouMean(name.replace(CODE, ''), SCRIPT_EVENTS);
  const extension = EXTENSIONS.find((one) => name.endsWith(one)) ?? (/tsx?$/.test(name) ? '.ts' : '.js');
  const hint = meant === undefined ? `events: ${SCRIPT_EVENTS.join(', ')}` : `did you mean ${meant}${extension}?`;
  return `not the name of an event, so it would never run; ${hint}`;
}

/** @throws CommandError when the folder cannot be read */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch (error) {
    throw unreadable(folder, error);
  }
}

/** @throws CommandError when the file cannot be read */
export async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(path: string, error: unknown): CommandError {
  return commandError(`${path} cannot be read: ${errorCode(error) ?? error}`);
}
