import { ServiceError } from '../errors.ts';
import { errorCode } from '../kit/error-code.ts';
import { explain } from '../process/start-fault.ts';
import { accountCommand } from './account.ts';
import { apiKeysCommand } from './api-keys.ts';
import { doctorCommand } from './doctor/doctor.ts';
import { envCommand } from './env.ts';
import { migrateCommand } from './migrate.ts';
import { CommandError, oneLine, usageError } from './output.ts';

const COMMANDS: ReadonlyMap<string, (args: readonly string[]) => Promise<void>> = new Map([
  ['start', async () => void (await import('../main.ts'))],
  ['migrate', migrateCommand],
  ['doctor', doctorCommand],
  ['account', accountCommand],
  ['env', envCommand],
  ['api-keys', apiKeysCommand],
  ['plugin', async (args) => (await import('./plugin/plugin.ts')).pluginCommand(args)],
  ['scripts', async (args) => (await import('./scripts/scripts.ts')).scriptsCommand(args)],
]);

/** Runs one command. @returns the exit code: 0 success, 1 failure, 2 usage error */
async function run([name = '', ...args]: readonly string[]): Promise<number> {
  const command = COMMANDS.get(name);
  try {
    if (command === undefined)
      throw usageError(
        `usage: svc <command> …, where <command> is one of ${[...COMMANDS.keys()].join(', ')} (see docs/command-line.md)`,
      );
    await command(args);
    return 0;
  } catch (error) {
    const text = isArgumentError(error) ? error.message : explain(error);
    console.error(oneLine(text));
    return exitCodeOf(error);
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode;
  const isUsage = isArgumentError(error) || (error instanceof ServiceError && error.status === 400);
  return isUsage ? 2 : 1;
}

function isArgumentError(error: unknown): error is Error {
  return error instanceof TypeError && errorCode(error)?.startsWith('ERR_PARSE_ARGS') === true;
}

process.exitCode = await run(process.argv.slice(2));
