import type { Knex } from 'knex';
import type { Notices } from '../db/notices.ts';
import { withTransaction } from '../db/transaction.ts';
import type { KeyRing } from '../kit/key-ring.ts';
import { newWebhookSecret } from '../kit/random-id.ts';
import { createKey } from './api-keys.ts';
import { firstAccountId, insertAccount, insertEnvironment, setWebhookSecret } from './environment-store.ts';

const FIRST_ENVIRONMENT = 'dev';
const FULL_ACCESS_KEY = 'Default - Full access';

export interface BootstrapDeps {
  readonly db: Knex;
  readonly keys: KeyRing;
  readonly notices: Pick<Notices, 'publish'>;
}

/** The secrets of a first start, to be written where only the operator reads. */
interface FirstKeys {
  readonly apiKey: string;
  readonly accountKey: string;
}

/**
 * On an empty database: account 1, its environment `dev`, a full-access key for each plane. One transaction, so that a first
 * start that is cut off begins anew.
 *
 * @param keep called before the commit, to put the keys where only the operator reads: no key may exist that nobody has
 * @returns false when there is an account already
 */
export async function bootstrap(
  deps: BootstrapDeps,
  given: { readonly apiKey?: string | undefined; readonly accountKey?: string | undefined },
  keep: (keys: FirstKeys) => Promise<void>,
): Promise<boolean> {
  return withTransaction(deps.db, async (trx) => {
    await trx.raw('lock table accounts in exclusive mode'); // two instances may start on one empty database
    if ((await firstAccountId(trx)) !== undefined) return false;
    const here = { ...deps, db: trx };
    const accountId = await insertAccount(trx, 'default');
    const environmentId = await addEnvironment(here, { accountId, name: FIRST_ENVIRONMENT });
    const firstKey = { name: FULL_ACCESS_KEY, scopes: ['environment:*'], secret: given.apiKey };
    const accountKey = { name: FULL_ACCESS_KEY, scopes: ['account:*'], secret: given.accountKey };
    const api = await createKey(here, { accountId, environmentId }, firstKey);
    const account = await createKey(here, { accountId, environmentId: null }, accountKey);
    await keep({ apiKey: api.secret, accountKey: account.secret });
    return true;
  });
}

/** An environment with its webhook signing secret. @returns its ID */
async function addEnvironment(deps: BootstrapDeps, wanted: { accountId: number; name: string }): Promise<number> {
  const { id } = await insertEnvironment(deps.db, wanted);
  const place = { table: 'environments', column: 'webhook_secret', environmentId: id, rowId: id };
  await setWebhookSecret(deps.db, id, deps.keys.encrypt(newWebhookSecret(), place));
  return id;
}
