import { connectionById } from '../../connections/connection-store.ts';
import { lockIntegration } from '../../connections/integrations/integration-store.ts';
import { unknownIntegration } from '../../connections/integrations/integrations.ts';
import { ServiceError } from '../../errors.ts';
import type { LifecycleDeps } from '../deps.ts';
import type { AdmittedPlan, Established } from './connection-plan.ts';
import {
  createConnection,
  type InTransaction,
  overrideConnection,
  reauthorizeConnection,
  type WrittenConnection,
} from './write-connection.ts';

/** Maximum number of rounds. A round fails only if a connection that another caller has just created is deleted right away. */
const MAX_ROUNDS = 5;

/**
 * Creates a connection or reauthorizes an existing one by an admitted plan; every authorization and import ends here. In the
 * caller's transaction it writes the connection, the log entry, the auth webhook and the jobs of its subscription and script.
 *
 * @throws ServiceError `conflict` if the ID has been taken in the meantime; `unknown_connection` or `unknown_provider_config` if
 *   the connection or the integration has been deleted in the meantime
 */
export async function establishConnection(deps: InTransaction<LifecycleDeps>, plan: AdmittedPlan): Promise<Established> {
  const { environmentId, id: integrationId, uniqueKey } = plan.integration;
  // Without the lock, a connection that is written while its integration is deleted would outlive it.
  if (!(await lockIntegration(deps.db, environmentId, integrationId))) throw unknownIntegration(uniqueKey);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const written = await writeOnce(deps, plan);
    const connection = written && (await connectionById(deps, plan.integration.environmentId, written.id));
    if (connection !== undefined) return { connection, warning: written?.warning };
  }
  throw new ServiceError('storage_unavailable', 'other requests are changing this connection; try again', {
    retryAfterSeconds: 1,
  });
}

/** @returns undefined if the connection with that ID was created and deleted concurrently */
async function writeOnce(deps: InTransaction<LifecycleDeps>, plan: AdmittedPlan): Promise<WrittenConnection | undefined> {
  const { existing, whenTaken, connectionId } = plan;
  if (whenTaken === 'override') return (await createConnection(deps, plan)) ?? overrideConnection(deps, plan);
  if (existing !== undefined) return reauthorizeConnection(deps, plan, existing);
  const written = await createConnection(deps, plan);
  if (written === undefined) throw new ServiceError('conflict', `the integration already has a connection "${connectionId}"`);
  return written;
}
