import { ServiceError } from '../errors.ts';
import { errorCode } from '../kit/error-code.ts';
import { explain } from '../operate/start-fault.ts';
import { accountCommand, apiKeysCommand } from './api-keys.ts';
import { auditCommand } from './audit.ts';
import { backupCommand, restoreCommand } from './backup.ts';
import { doctorCommand } from './doctor/doctor.ts';
import { envCommand } from './env.ts';
import { keysCommand } from './keys.ts';
import { resetFactorsCommand, resetPasswordCommand, setupLinkCommand } from './members.ts';
import { CommandError, oneLine, usageError } from './output.ts';
import { providerCommand } from './provider.ts';
import { migrateCommand, startCommand } from './start.ts';
import { exportCommand, importCommand } from './transfer.ts';
import { asksForUsage, usageOf } from './usage.ts';

interface Command {
  /** Description of the command in one line, for `--help`. */
  readonly about: string;
  run(args: readonly string[]): Promise<void>;
}

const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['start', { about: 'starts the service', run: startCommand }],
  ['migrate', { about: 'applies pending migrations', run: migrateCommand }],
  ['doctor', { about: 'checks everything that the service needs', run: doctorCommand }],
  ['account', { about: 'create: an additional account', run: accountCommand }],
  ['env', { about: 'list, get, set, rotate-webhook-secret: environments', run: envCommand }],
  ['api-keys', { about: 'create, list, revoke: API keys of an environment', run: apiKeysCommand }],
  ['keys', { about: 'status, rotate: the keys that encrypt what is stored', run: keysCommand }],
  [
    'audit',
    { about: 'verify, anchor, export: the record of who changed, revealed, exported and deleted what', run: auditCommand },
  ],
  ['setup-link', { about: 'prints a link to the page that creates the first admin of the dashboard', run: setupLinkCommand }],
  ['reset-password', { about: 'EMAIL: prints a link by which a member chooses a new password', run: resetPasswordCommand }],
  ['reset-factors', { about: 'EMAIL: removes the second factors of a member who has lost them', run: resetFactorsCommand }],
  ['backup', { about: 'FILE: writes the whole database to a file, while the service may be running', run: backupCommand }],
  ['restore', { about: 'FILE: writes a backup to an empty database', run: restoreCommand }],
  ['export', { about: 'FILE: writes an environment with all its secrets to an encrypted file', run: exportCommand }],
  ['import', { about: 'FILE: imports an exported environment', run: importCommand }],
  ['provider', { about: 'probe: checks, without credentials, whether providers respond as defined', run: providerCommand }],
  [
    'plugin',
    {
      about: 'new, check: your own plugins',
      run: async (args) => (await import('./plugin/plugin.ts')).pluginCommand(args),
    },
  ],
  [
    'scripts',
    {
      about: "init, types, deploy, test, logs: users' scripts",
      run: async (args) => (await import('./scripts/scripts.ts')).scriptsCommand(args),
    },
  ],
]);

/** Runs one command. @returns the exit code: 0 success, 1 failure, 2 usage error */
async function run([name = '', ...args]: readonly string[]): Promise<number> {
  const command = COMMANDS.get(name);
  try {
    if (['help', '--help', '-h'].includes(name)) {
      printHelp();
      return 0;
    }
    if (command === undefined)
      throw usageError(
        `usage: svc <command> …, where <command> is one of ${[...COMMANDS.keys()].join(', ')} (see docs/command-line.md)`,
      );
    if (asksForUsage(args)) console.log(`${usageOf(name)}\n\nEverything else: docs/command-line.md`);
    else await command.run(args);
    return 0;
  } catch (error) {
    const text = isArgumentError(error) ? error.message : explain(error);
    console.error(oneLine(text));
    return exitCodeOf(error);
  }
}

function printHelp(): void {
  const width = Math.max(...[...COMMANDS.keys()].map((name) => name.length));
  console.log('svc <command> [--env NAME] [--json]\n');
  for (const [name, { about }] of COMMANDS) console.log(`  ${name.padEnd(width)}  ${about}`);
  console.log('\nExit code: 0 success, 1 failure, 2 usage error. Everything else: docs/command-line.md');
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
