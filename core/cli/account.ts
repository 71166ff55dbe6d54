import { parseArgs } from 'node:util';
import { withTransaction } from '../db/transaction.ts';
import { recordAudit } from '../journal/audit-trail/record.ts';
import { createAccount } from '../tenants/environments/bootstrap.ts';
import { firstAccountId } from '../tenants/environments/environment-store.ts';
import { accountContext } from './audit-context.ts';
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
  const operator = await firstAccountId(context.db);
  if (operator === undefined) throw commandError('the database is empty: start the service once to create the first account');
  const accountKey = await withTransaction(context.db, async (trx) => {
    const here = { ...context, db: trx };
    const account = await createAccount(here, values.name);
    const subject = { type: 'account', id: String(account.id), name: values.name } as const;
    await recordAudit(here, { ...accountContext(operator), action: 'account.create', subject });
    return account.accountKey;
  });
  printObject({ account_key: accountKey }, values.json === true);
}
