import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { insertOperations } from '../activity/activity-store.ts';
import { nameOutages } from './import-store.ts';

/**
 * Writes to the operation log why connections need their users, in the transaction `trx`: their own entries stayed in the other
 * database, and `errors` of a connection names one.
 */
export async function logOutages(trx: Knex.Transaction, environmentId: number, at: Date): Promise<void> {
  const id = randomUUID();
  if ((await nameOutages(trx, environmentId, id)) === 0) return;
  const message = 'the user has to authorize again; why is in the log of the installation that the connection was exported from';
  await insertOperations(trx, [
    {
      id,
      environment_id: environmentId,
      type: 'auth',
      operation: 'import',
      status: 'failure',
      connection_id: null,
      provider_config_key: null,
      created_at: at,
      ended_at: at,
      messages: [{ at: at.toISOString(), level: 'error', message, facts: {} }],
    },
  ]);
}
