import { parseArgs } from 'node:util';
import { joinDatabase } from './join.ts';
import { printObject } from './output.ts';

/** `migrate`: brings the database to this version's schema, as every start does, without starting the service. */
export async function migrateCommand(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean' } } });
  await using _joined = await joinDatabase();
  printObject({ migrated: true }, values.json === true);
}
