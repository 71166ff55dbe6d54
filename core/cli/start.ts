import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openContext } from './command-context.ts';
import { CommandError, printObject } from './output.ts';

const BUILD_UI = fileURLToPath(new URL('../../ui/build.ts', import.meta.url));

/** `start`: builds the pages where they have changed, then starts the service. */
export async function startCommand(): Promise<void> {
  const { status } = spawnSync(process.execPath, [BUILD_UI], { stdio: ['ignore', 'inherit', 'inherit'] });
  // The build has printed the reason.
  if (status !== 0) throw new CommandError(1, 'the service has not been started');
  await import('../main.ts');
}

/** `migrate`: applies pending migrations, as every start does, without starting the service. */
export async function migrateCommand(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean' } } });
  await using _context = await openContext({ mayCreate: true });
  printObject({ migrated: true }, values.json === true);
}
