import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { isScriptEvent, type ScriptEvent } from '../../scripts/event.ts';
import { type CommandError, refused } from '../output.ts';

const EXTENSIONS: readonly string[] = ['.ts', '.js'];
/** Folders beside those of integrations. */
const OTHERS: ReadonlySet<string> = new Set(['node_modules']);

export interface ScriptFile {
  readonly integrationKey: string;
  readonly event: ScriptEvent;
  readonly path: string;
}

/** The scripts of a folder, `<unique_key>/<event>.{ts,js}`, in the order of their names. @throws CommandError when it has none */
export async function scriptFiles(dir: string): Promise<readonly ScriptFile[]> {
  const keys = await namesIn(dir);
  const found: ScriptFile[] = [];
  for (const integrationKey of keys.filter((name) => !name.startsWith('.') && !OTHERS.has(name))) {
    if ((await stat(join(dir, integrationKey))).isDirectory()) found.push(...(await scriptsOf(dir, integrationKey)));
  }
  if (found.length === 0) throw refused(`${dir} has no scripts: they are files <unique_key>/<event>.ts or .js`);
  return found;
}

/** The event that a file is for, by its name. */
export function eventOf(path: string): ScriptEvent | undefined {
  const extension = extname(path);
  const name = basename(path, extension);
  return EXTENSIONS.includes(extension) && isScriptEvent(name) ? name : undefined;
}

async function scriptsOf(dir: string, integrationKey: string): Promise<ScriptFile[]> {
  const folder = join(dir, integrationKey);
  const files = (await namesIn(folder)).flatMap((name) => {
    const event = eventOf(name);
    return event === undefined ? [] : [{ integrationKey, event, path: join(folder, name) }];
  });
  const events = files.map(({ event }) => event);
  const twice = events.find((event, index) => events.indexOf(event) !== index);
  if (twice !== undefined) throw refused(`${folder} has ${twice} in TypeScript and in JavaScript: one of them has to go`);
  return files;
}

/** @throws CommandError */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch (error) {
    throw unreadable(folder, error);
  }
}

/** @throws CommandError */
export async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(path: string, error: unknown): CommandError {
  return refused(`${path} cannot be read${error instanceof Error && 'code' in error ? `: ${error.code}` : ''}`);
}
