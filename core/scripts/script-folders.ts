import { readdir, readFile, stat } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { type Fault, listFolders } from '../catalogue/folders.ts';
import { errorCode } from '../kit/error-code.ts';
import { MAX_SOURCE_BYTES, type Source } from './compile.ts';
import { isScriptEvent, type Language, type ScriptEvent } from './event.ts';

const LANGUAGE_OF: Readonly<Record<string, Language>> = { '.ts': 'typescript', '.js': 'javascript' };

/** `<dir>/<unique_key>/<event>.{ts,js}` */
export interface ScriptFile extends Source {
  /** The folder's name: the key of an integration. */
  readonly uniqueKey: string;
  readonly file: string;
}

/**
 * Reads all scripts below these directories, and lists the faults of other files. Of two scripts for one key and event the first
 * is used.
 */
export async function readScriptFolders(dirs: readonly string[]): Promise<{ scripts: ScriptFile[]; faults: Fault[] }> {
  const { folders, faults } = listFolders(dirs);
  const scripts = new Map<string, ScriptFile>();
  for (const { name, directory } of folders) {
    const files = await readdir(directory).catch(unreadable);
    if (!Array.isArray(files)) faults.push({ folder: name, file: name, ...files });
    for (const file of Array.isArray(files) ? files : []) {
      const read = await readScript(directory, file);
      if (read === undefined) continue;
      const reason = 'reason' in read ? read.reason : twice(scripts.get(`${name}/${read.event}`));
      if (reason !== undefined) faults.push({ folder: name, file, reason });
      else if ('source' in read) scripts.set(`${name}/${read.event}`, { uniqueKey: name, file, ...read });
    }
  }
  return { scripts: [...scripts.values()], faults };
}

type Read = Source | { readonly reason: string };

/** Undefined: not a script file. */
async function readScript(directory: string, file: string): Promise<Read | undefined> {
  const { name, ext } = parse(file);
  const language = LANGUAGE_OF[ext];
  if (language === undefined || file.startsWith('.') || file.endsWith('.d.ts')) return undefined;
  if (!isScriptEvent(name)) return { reason: 'its name is not an event; scripts are named after their event' };
  return readSource(join(directory, file), name, language);
}

async function readSource(path: string, event: ScriptEvent, language: Language): Promise<Read> {
  try {
    const { size } = await stat(path);
    if (size > MAX_SOURCE_BYTES) return { reason: `it has ${size} bytes; a script has at most 256 KB (262,144)` };
    return { event, language, source: await readFile(path, 'utf8') };
  } catch (cause) {
    return unreadable(cause);
  }
}

function unreadable(cause: unknown): { readonly reason: string } {
  return { reason: `cannot be read (${errorCode(cause) ?? 'unknown error'})` };
}

function twice(other: ScriptFile | undefined): string | undefined {
  return other && `there is another script for this integration and event (${other.file}), which is used`;
}
