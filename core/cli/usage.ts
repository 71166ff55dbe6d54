/** The commands with their arguments, by the name of the command. All that they mean is in `docs/command-line.md`. */
const USAGES: Readonly<Record<string, readonly string[]>> = {
  start: ['start'],
  migrate: ['migrate [--json]'],
  doctor: ['doctor [--json]'],
  account: ['account create [--name N] [--json]'],
  env: ['env list', 'env get [--env NAME]', 'env set [--env NAME] --FLAG VALUE …', 'env rotate-webhook-secret [--env NAME]'],
  'api-keys': [
    'api-keys create --name N --scopes a,b [--expires-at TIME] [--env NAME]',
    'api-keys list [--env NAME]',
    'api-keys revoke ID [--env NAME]',
  ],
  keys: ['keys status [--json]', 'keys rotate [--json]'],
  audit: ['audit verify [--json]', 'audit anchor', 'audit export [--output FILE] [--since TIME] [--until TIME]'],
  'setup-link': ['setup-link [--account ID] [--json]'],
  'reset-password': ['reset-password EMAIL [--json]'],
  'reset-factors': ['reset-factors EMAIL [--json]'],
  backup: ['backup FILE [--with-keys --passphrase-file FILE] [--json]'],
  restore: [
    'restore FILE [--passphrase-file FILE] [--json]',
    'restore FILE --check [--passphrase-file FILE] [--json]',
    'restore FILE --keys-to KEYS [--passphrase-file FILE] [--json]',
  ],
  export: ['export FILE --key-file KEY [--env NAME] [--json]'],
  import: ['import FILE --key-file KEY [--env NAME] [--keep-existing] [--settings] [--check] [--json]'],
  provider: ['provider probe [SLUG …] [--json]'],
  plugin: ['plugin new FOLDER [--auth-mode MODE]', 'plugin check [DIR …] [--json]'],
  scripts: [
    'scripts init DIR [--integration KEY]',
    'scripts types DIR',
    'scripts deploy DIR [--env NAME | --url URL --key API_KEY]',
    'scripts test FILE --connection ID --integration KEY [--payload FILE] [--write] [--record FILE]',
    'scripts test FILE --replay FILE',
    'scripts logs KEY [EVENT] [--env NAME]',
  ],
};

/** Returns how a command is used, one line for each form of it. */
export function usageOf(name: string): string {
  return (USAGES[name] ?? []).map((usage) => `svc ${usage}`).join('\n');
}

/** Returns whether the arguments of a command ask how it is used. */
export function asksForUsage(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h');
}
