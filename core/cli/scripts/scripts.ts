import { usageError } from '../output.ts';
import { deployCommand } from './deploy.ts';
import { initCommand, typesCommand } from './init.ts';
import { logsCommand } from './logs.ts';

const ACTIONS: ReadonlyMap<string, (args: readonly string[]) => Promise<void>> = new Map([
  ['init', initCommand],
  ['types', typesCommand],
  ['deploy', deployCommand],
  // Imported on demand, since it loads the whole service.
  ['test', async (args) => (await import('./test.ts')).testCommand(args)],
  ['logs', logsCommand],
]);

/** `scripts init|types|deploy|test|logs`: commands for script authors. */
export async function scriptsCommand([name = '', ...args]: readonly string[]): Promise<void> {
  const action = ACTIONS.get(name);
  if (action === undefined) throw usageError(`scripts ${[...ACTIONS.keys()].join(' | ')} … (see docs/command-line.md)`);
  return action(args);
}
