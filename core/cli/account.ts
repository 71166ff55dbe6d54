import { parseArgs } from 'node:util';
import { createAccount } from '../environments/bootstrap.ts';
import { firstAccountId } from '../environments/environment-store.ts';
import { openContext } from './command-context.ts';
import { commandError, printObject, usageError } from './output.ts';

/** `account create`: an additional account, isolated from all others. */
export async function accountCommand([action, ...rest]: readonly string[]): Promise<void> {
  if (action !== 'create') throw usageError('account create [--name N]');
  const { values } = parseArgs({
    args: rest,
    options: { json: { type: 'boolean' }, name: { type: 'string', default: 'account' } },
  });
  if (values.name === '') throw usageError('--name must not be empty');
  await using context = await openContext();
  // On an empty database this would become the first account, whose keys the first start creates.
  if ((await firstAccountId(context.db)) === undefined)
    throw commandError('the database is empty: start the service once to create the first account');
  const { accountKey } = await createAccount(context, values.name);
  printObject({ account_key: accountKey }, values.json === true);
}
