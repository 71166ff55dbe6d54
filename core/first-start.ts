import { join } from 'node:path';
import type { Config } from './config/schema.ts';
import { type BootstrapDeps, bootstrap } from './environments/bootstrap.ts';
import type { Logger } from './kit/logger.ts';
import { writePrivateFile } from './kit/private-file.ts';

type GivenKeys = Pick<Config, 'SVC_BOOTSTRAP_API_KEY' | 'SVC_BOOTSTRAP_ACCOUNT_KEY'>;

/** On an empty database: the first account with its keys, in files that only the operator reads; the log says where. */
export async function firstStart(
  deps: BootstrapDeps & { readonly log: Logger },
  config: GivenKeys,
  dataDir: string,
): Promise<void> {
  const given = { apiKey: config.SVC_BOOTSTRAP_API_KEY, accountKey: config.SVC_BOOTSTRAP_ACCOUNT_KEY };
  const apiKeyFile = join(dataDir, 'api-key');
  const accountKeyFile = join(dataDir, 'account-key');
  const isFirst = await bootstrap(deps, given, async (keys) => {
    await writePrivateFile(apiKeyFile, `${keys.apiKey}\n`);
    await writePrivateFile(accountKeyFile, `${keys.accountKey}\n`);
  });
  if (isFirst) deps.log.info('first start: the keys are in these files', { apiKeyFile, accountKeyFile });
}
