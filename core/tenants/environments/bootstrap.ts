import { withTransaction } from '../../db/transaction.ts';
import { createKey } from '../api-keys/api-keys.ts';
import type { EnvironmentsDeps } from './deps.ts';
import { firstAccountId, insertAccount } from './environment-store.ts';
import { addEnvironment, FULL_ACCESS_KEY } from './environments.ts';

const FIRST_ENVIRONMENT = 'dev';
/** Who makes the first keys. */
const SERVICE = 'svc';

/** The secrets of a first start, to be written where only the operator reads. */
interface FirstKeys {
  readonly apiKey: string;
  readonly accountKey: string;
}

/**
 * On an empty database: account 1, its environment `dev`, a full-access key for each plane. One transaction, so that a first
 * start that is cut off begins anew.
 *
 * @param keep called before the commit, to put the keys where only the operator reads: no key may exist that is not written there
 * @returns false when there is an account already
 */
export async function bootstrap(
  deps: EnvironmentsDeps,
  secrets: { readonly apiKey?: string | undefined; readonly accountKey?: string | undefined },
  keep: (keys: FirstKeys) => Promise<void>,
): Promise<boolean> {
  return withTransaction(deps.db, async (trx) => {
    await trx.raw('lock table accounts in exclusive mode'); // two instances may start on one empty database
    if ((await firstAccountId(trx)) !== undefined) return false;
    const here = { ...deps, db: trx };
    const accountId = await insertAccount(trx, 'default');
    const { id: environmentId } = await addEnvironment(here, { accountId, name: FIRST_ENVIRONMENT });
    const firstKey = { name: FULL_ACCESS_KEY, scopes: ['environment:*'], secret: secrets.apiKey, createdBy: SERVICE };
    const accountKey = { name: FULL_ACCESS_KEY, scopes: ['account:*'], secret: secrets.accountKey, createdBy: SERVICE };
    const api = await createKey(here, { accountId, environmentId }, firstKey);
    const account = await createKey(here, { accountId, environmentId: null }, accountKey);
    await keep({ apiKey: api.secret, accountKey: account.secret });
    return true;
  });
}

/**
 * A further account with its environment `dev`. Its account key, which is returned this once, makes the keys of the environment:
 * the secret of one made here would be lost.
 */
export async function createAccount(
  deps: EnvironmentsDeps,
  name: string,
): Promise<{ readonly id: number; readonly accountKey: string }> {
  return withTransaction(deps.db, async (trx) => {
    const here = { ...deps, db: trx };
    const accountId = await insertAccount(trx, name);
    await addEnvironment(here, { accountId, name: FIRST_ENVIRONMENT });
    const { secret } = await createKey(
      here,
      { accountId, environmentId: null },
      { name: FULL_ACCESS_KEY, scopes: ['account:*'], createdBy: SERVICE },
    );
    return { id: accountId, accountKey: secret };
  });
}
