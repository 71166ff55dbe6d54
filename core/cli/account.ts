import { parseArgs } from 'node:util';
import { createAccount } from '../environments/bootstrap.ts';
import { firstAccountId } from '../environments/environment-store.ts';
import { joinDatabase } from './join.ts';
import { printObject, refused, usage } from './output.ts';

/** `account create`: a further account, apart from all others. */
export async function accountCommand([action, ...rest]: readonly string[]): Promise<void> {
  if (action !== 'create') throw usage('account create [--name N]');
  const { values } = parseArgs({
    args: rest,
    options: { json: { type: 'boolean' }, name: { type: 'string', default: 'account' } },
  });
  if (values.name === '') throw usage('--name needs a name');
  await using joined = await joinDatabase();
  // On an empty database it would be taken for the first account, whose keys the first start makes.
  if ((await firstAccountId(joined.db)) === undefined)
    throw refused('there is nothing here yet: start the service once, it makes the first account');
  const { accountKey } = await createAccount(joined, values.name);
  printObject({ account_key: accountKey }, values.json === true);
}
