import { withTransaction } from '../../db/transaction.ts';
import { createKey } from '../api-keys/api-keys.ts';
import type { EnvironmentsDeps } from './deps.ts';
import { firstAccountId, insertAccount, lockAccounts } from './environment-store.ts';
import { addEnvironment, FULL_ACCESS_KEY } from './environments.ts';

const FIRST_ENVIRONMENT = 'dev';
/** The recorded creator of the first keys. */
const SERVICE = 'svc';

/** The secrets of a first start, to be written to a place that only the operator can read. */
interface FirstKeys {
  readonly apiKey: string;
  readonly accountKey: string;
}

/**
 * Creates, in an empty database, account 1, its environment `dev`, a full-access API key and a full-access account key. One
 * transaction does all this, so that a first start that was interrupted begins again from nothing.
 *
 * @param keep called before the commit, to write the keys to a place that only the operator can read: no key may exist that is
 *   not written there
 * @returns false when an account already exists
 */
export async function bootstrap(
  deps: EnvironmentsDeps,
  secrets: { readonly apiKey?: string | undefined; readonly accountKey?: string | undefined },
  keep: (keys: FirstKeys) => Promise<void>,
): Promise<boolean> {
  return withTransaction(deps.db, async (trx) => {
    await lockAccounts(trx);
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
 * Creates another account with its environment `dev`, and an account key, which is returned only this once and can create keys
 * for the environment. No environment key is created here, since its secret would be lost.
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
