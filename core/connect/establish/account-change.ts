import type { Connection } from '../../connections/connection.ts';
import { isOtherAccount } from '../../connections/provider-account.ts';
import { ServiceError } from '../../errors.ts';
import type { ConnectionPlan } from './connection-plan.ts';

type Account = Connection['providerAccount'];

/**
 * A user who reauthorizes a connection must not replace its account by another one unnoticed. An unknown account is none.
 *
 * @throws ServiceError `wrong_account`
 */
export function checkAccount({ reauthorization }: ConnectionPlan, before: Account, now: Account): void {
  if (reauthorization === undefined || reauthorization.allowsAccountChange || !isOtherAccount(before, now)) return;
  throw new ServiceError('wrong_account', 'this is another account at the provider than the one of the connection');
}
