import { join } from 'node:path';
import type { Config } from '../config/schema.ts';
import type { Logger } from '../kit/logger.ts';
import { writePrivateFile } from '../kit/private-file.ts';
import { bootstrap } from '../tenants/environments/bootstrap.ts';
import type { EnvironmentsDeps } from '../tenants/environments/deps.ts';

type GivenKeys = Pick<Config, 'SVC_BOOTSTRAP_API_KEY' | 'SVC_BOOTSTRAP_ACCOUNT_KEY'>;

/**
 * Creates the first account in an empty database. API keys that the operator has not set are generated and written to files that
 * only the operator can read; the log names the files.
 */
export async function firstStart(
  deps: EnvironmentsDeps & { readonly log: Logger },
  config: GivenKeys,
  dataDir: string,
): Promise<void> {
  const given = { apiKey: config.SVC_BOOTSTRAP_API_KEY, accountKey: config.SVC_BOOTSTRAP_ACCOUNT_KEY };
  const keyFile = given.apiKey === undefined ? apiKeyFile(dataDir) : undefined;
  const accountKeyFile = given.accountKey === undefined ? join(dataDir, 'account-key') : undefined;
  const isFirst = await bootstrap(deps, given, async (keys) => {
    if (keyFile !== undefined) await writePrivateFile(keyFile, `${keys.apiKey}\n`);
    if (accountKeyFile !== undefined) await writePrivateFile(accountKeyFile, `${keys.accountKey}\n`);
  });
  if (isFirst) deps.log.info('first start: the new API keys are in these files', { apiKeyFile: keyFile, accountKeyFile });
}

/** Returns the path of the file in which the first start puts the API key that it generates. */
export function apiKeyFile(dataDir: string): string {
  return join(dataDir, 'api-key');
}
