import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { printObject, refused, usage } from '../output.ts';
import { EXAMPLE_EVENT, EXAMPLES, TSCONFIG } from './starter.ts';

const TYPES = fileURLToPath(new URL('../../../scripts-runtime/script.d.ts', import.meta.url));
const TYPES_FILE = 'script.d.ts';
const OPTIONS = { json: { type: 'boolean' } } as const;

/** `scripts init <dir>`: a folder to begin with. Overwrites nothing. @throws CommandError */
export async function initCommand(args: readonly string[]): Promise<void> {
  const options = { ...OPTIONS, integration: { type: 'string', default: 'example' } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [dir, ...more] = positionals;
  if (dir === undefined || more.length > 0) throw usage('scripts init <dir> [--integration KEY]');
  if (['', '.', '..'].includes(values.integration) || /[\\/]/.test(values.integration))
    throw usage('--integration needs the key of an integration');
  const files = starterFiles(values.integration);
  for (const [name, text] of Object.entries(files)) await writeNew(join(dir, name), text);
  await copyFile(TYPES, join(dir, TYPES_FILE));
  printObject({ dir, files: [...Object.keys(files), TYPES_FILE] }, values.json === true);
}

/** `scripts types <dir>`: brings the types to those of this version. @throws CommandError */
export async function typesCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  const [dir, ...more] = positionals;
  if (dir === undefined || more.length > 0) throw usage('scripts types <dir>');
  const file = join(dir, TYPES_FILE);
  await mkdir(dir, { recursive: true });
  await copyFile(TYPES, file);
  printObject({ file }, values.json === true);
}

function starterFiles(integration: string): Readonly<Record<string, string>> {
  const scripts = Object.entries(EXAMPLES).map(([event, text]) => [`${integration}/${event}.ts`, text] as const);
  return { 'tsconfig.json': TSCONFIG, ...Object.fromEntries(scripts), [`${integration}/on-webhook.event.json`]: EXAMPLE_EVENT };
}

async function writeNew(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(path, text, { flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    throw refused(`${path} is there already; nothing is overwritten`);
  }
}
