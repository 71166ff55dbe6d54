import { parseArgs } from 'node:util';
import { openContext } from './command-context.ts';
import { printObject } from './output.ts';

/** `migrate`: applies pending migrations, as every start does, without starting the service. */
export async function migrateCommand(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean' } } });
  await using _context = await openContext();
  printObject({ migrated: true }, values.json === true);
}
