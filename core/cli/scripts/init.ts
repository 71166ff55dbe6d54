import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { errorCode } from '../../kit/error-code.ts';
import { EXAMPLES } from '../../scripts/examples.ts';
import { commandError, printObject, usageError } from '../output.ts';
import { EXAMPLE_EVENT, GLOBALS_FILE, TSCONFIG } from './starter.ts';

const RUNTIME = new URL('../../../scripts-runtime/', import.meta.url);
const TYPES_FILE = 'script.d.ts';
const TSCONFIG_FILE = 'tsconfig.json';
const OPTIONS = { json: { type: 'boolean' } } as const;

/**
 * `scripts init <dir>`: creates a starter folder. Overwrites nothing.
 *
 * @throws CommandError for wrong arguments, or when a file already exists
 */
export async function initCommand(args: readonly string[]): Promise<void> {
  const options = { ...OPTIONS, integration: { type: 'string', default: 'example' } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [dir, ...more] = positionals;
  if (dir === undefined || more.length > 0) throw usageError('scripts init <dir> [--integration KEY]');
  if (['', '.', '..'].includes(values.integration) || /[\\/]/.test(values.integration))
    throw usageError('--integration must be the key of an integration');
  const files = starterFiles(values.integration);
  for (const [name, text] of Object.entries(files)) await writeNew(join(dir, name), text);
  await writeTypes(dir);
  const above = projectAbove(dir);
  const note =
    above && `add "${relative(dirname(above), resolve(dir))}" to "exclude" in ${above}: this folder has its own compiler options`;
  const all = [...Object.keys(files), TYPES_FILE, GLOBALS_FILE];
  printObject({ dir, files: all, ...(note !== undefined && { note }) }, values.json === true);
}

/** `scripts types <dir>`: updates the types to this version. @throws CommandError for wrong arguments */
export async function typesCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  const [dir, ...more] = positionals;
  if (dir === undefined || more.length > 0) throw usageError('scripts types <dir>');
  await writeTypes(dir);
  const config = await readFile(join(dir, TSCONFIG_FILE), 'utf8').catch(() => undefined);
  const isMissing = config !== undefined && !config.includes(GLOBALS_FILE);
  const note = isMissing ? `add "${GLOBALS_FILE}" to "include" in ${join(dir, TSCONFIG_FILE)}, next to "**/*"` : undefined;
  printObject({ dir, files: [TYPES_FILE, GLOBALS_FILE], ...(note !== undefined && { note }) }, values.json === true);
}

/**
 * Writes the types that scripts import and, in a separate file, the sandbox's globals, which would conflict with those of an
 * application whose compiler found them.
 */
async function writeTypes(dir: string): Promise<void> {
  const [types, globals] = await Promise.all(
    ['script.d.ts', 'sandbox-globals.d.ts'].map((name) => readFile(new URL(name, RUNTIME), 'utf8')),
  );
  await mkdir(dirname(join(dir, GLOBALS_FILE)), { recursive: true });
  await writeFile(join(dir, TYPES_FILE), types ?? '');
  await writeFile(join(dir, GLOBALS_FILE), globals?.replace(`'./${TYPES_FILE}'`, `'../${TYPES_FILE}'`) ?? '');
}

/** Returns the nearest `tsconfig.json` above a folder; its project would compile the scripts as its own. */
function projectAbove(dir: string): string | undefined {
  for (let folder = dirname(resolve(dir)); ; folder = dirname(folder)) {
    const file = join(folder, TSCONFIG_FILE);
    if (existsSync(file)) return file;
    if (folder === dirname(folder)) return undefined;
  }
}

function starterFiles(integration: string): Readonly<Record<string, string>> {
  const scripts = Object.entries(EXAMPLES).map(([event, text]) => [`${integration}/${event}.ts`, text] as const);
  return { [TSCONFIG_FILE]: TSCONFIG, ...Object.fromEntries(scripts), [`${integration}/on-webhook.event.json`]: EXAMPLE_EVENT };
}

async function writeNew(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(path, text, { flag: 'wx' });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    throw commandError(`${path} already exists; it was not overwritten`);
  }
}
