import { ServiceError } from '../errors.ts';
import { apiKeysCommand } from './api-keys.ts';
import { envCommand } from './env.ts';
import { CommandError, usage } from './output.ts';

const COMMANDS: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  start: async () => void (await import('../main.ts')),
  env: envCommand,
  'api-keys': apiKeysCommand,
};

/** Runs one command. @returns the exit code: 0 done, 1 refused, 2 wrong usage */
async function run([name, ...args]: readonly string[]): Promise<number> {
  const command = name === undefined ? undefined : COMMANDS[name];
  try {
    if (command === undefined) throw usage(`svc <command>: ${Object.keys(COMMANDS).join(', ')}`);
    await command(args);
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return exitCodeOf(error);
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode;
  const isUsage = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  if (isUsage) return 2;
  return error instanceof ServiceError && error.status === 400 ? 2 : 1;
}

process.exitCode = await run(process.argv.slice(2));
