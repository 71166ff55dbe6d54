import { announceIntegrationsOf } from '../../connections/integrations/integrations.ts';
import { markIntegrationsOf } from '../../connections/integrations/marked-integration-store.ts';
import { markConnectionsOf } from '../../connections/marked-connection-store.ts';
import { withLongTransaction } from '../../db/transaction.ts';
import { ServiceError } from '../../errors.ts';
import { revokeAll } from '../../tenants/api-keys/api-keys.ts';
import { lockEnvironmentsOf } from '../../tenants/environments/environment-store.ts';
import { markEnvironmentDeleted } from '../../tenants/environments/marked-environment-store.ts';
import type { LifecycleDeps } from '../deps.ts';
import { sendErasure } from './erasure-worker.ts';

/**
 * Deletes an environment with all its data. Afterwards its keys, sessions and credentials cannot be used, and its name is
 * available; a job then lets plugins clean up and erases the rows, the environment's own row last.
 *
 * @returns its name
 * @throws ServiceError `not_found` if the account has no such environment
 */
export async function deleteEnvironment(deps: LifecycleDeps, accountId: number, id: number): Promise<string> {
  return withLongTransaction(deps.db, async (trx) => {
    const name = await markEnvironmentDeleted(trx, { accountId, id });
    if (name === undefined) throw new ServiceError('not_found', `there is no environment ${id}`);
    await revokeAll(deps, trx, id);
    await markIntegrationsOf(trx, id);
    await markConnectionsOf(trx, { environmentId: id });
    await announceIntegrationsOf(deps, trx, id);
    await sendErasure(deps, trx, { environmentId: id });
    return name;
  });
}

/**
 * Deletes an environment, unless it is the account's last one.
 *
 * @returns its ID
 * @throws ServiceError `not_found` if the account has no such environment; `conflict` if it is the last one
 */
export async function deleteEnvironmentUnlessLast(deps: LifecycleDeps, accountId: number, name: string): Promise<number> {
  return withLongTransaction(deps.db, async (trx) => {
    const environments = await lockEnvironmentsOf(trx, accountId);
    const environment = environments.find((one) => one.name === name);
    if (environment === undefined) throw new ServiceError('not_found', `there is no environment "${name}"`);
    if (environments.length === 1) throw new ServiceError('conflict', 'the last environment of an account cannot be deleted');
    await deleteEnvironment({ ...deps, db: trx }, accountId, environment.id);
    return environment.id;
  });
}
