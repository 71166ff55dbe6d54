import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { SLUG } from '#contract';
import { commandError, printObject, usageError } from '../output.ts';
import { checkPlugins } from './check.ts';
import { factsText, PACKAGE, PLUGIN, providerText, STARTER_MODES, tsconfigText } from './starter.ts';

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));
const CONTRACT = join(PROJECT, 'core/contract/index.ts');
const SCHEMA = join(PROJECT, 'core/contract/provider.schema.json');
const NODE_TYPES = join(PROJECT, 'node_modules/@types');
const OPTIONS = { json: { type: 'boolean' }, 'auth-mode': { type: 'string' } } as const;

/**
 * `plugin new FOLDER [--auth-mode MODE]`, `plugin check [DIR …]`: need neither the service nor its database.
 *
 * @throws CommandError for wrong arguments, a file that already exists, or a folder that fails its check
 */
export async function pluginCommand([action, ...args]: readonly string[]): Promise<void> {
  if (action === 'new') return create(args);
  if (action === 'check') return checkPlugins(args);
  throw usageError('plugin new FOLDER [--auth-mode MODE] | plugin check [DIR …] (see docs/command-line.md)');
}

/** Creates a starter folder in which editors and `tsc` resolve `#contract`. Overwrites nothing. */
async function create(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw usageError('plugin new FOLDER [--auth-mode MODE]');
  const authMode = values['auth-mode'] ?? STARTER_MODES[0] ?? '';
  if (!STARTER_MODES.includes(authMode))
    throw usageError(`--auth-mode must be one of ${STARTER_MODES.join(', ')}; for others see docs/provider-definitions.md`);
  const folder = resolve(path);
  const name = basename(folder);
  if (!SLUG.test(name))
    throw usageError(
      `the folder's name is the plugin's name, so "${name}" must consist of lower-case letters, digits and hyphens`,
    );
  const nodeTypes = existsSync(NODE_TYPES) ? pathFrom(folder, NODE_TYPES) : undefined;
  const files = {
    'plugin.ts': PLUGIN,
    'provider.json': providerText({ name, authMode, schema: pathFrom(folder, SCHEMA) }),
    'facts.json': factsText(authMode, new Date()),
    'package.json': PACKAGE,
    'tsconfig.json': tsconfigText({ contract: pathFrom(folder, CONTRACT), nodeTypes }),
  };
  await mkdir(folder, { recursive: true });
  for (const file of Object.keys(files)) {
    if (existsSync(join(folder, file))) throw commandError(`${join(folder, file)} already exists; nothing was written`);
  }
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text, { flag: 'wx' });
  printObject({ folder, files: Object.keys(files) }, values.json === true);
}

/** Returns a relative path, so that the folder can be moved together with the installation. */
function pathFrom(folder: string, file: string): string {
  return relative(folder, file).split(sep).join('/');
}
