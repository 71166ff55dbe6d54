import type { Knex } from 'knex';
import { insertOperations } from '../../journal/operation-log/activity-store.ts';
import { begunRow, endedRow } from '../../journal/operation-log/operation-row.ts';
import { nameOutages } from './import-store.ts';

/**
 * Writes to the operation log why connections need their users, in the transaction `trx`: their own entries stayed in the other
 * database, and `errors` of a connection names one.
 */
export async function logOutages(trx: Knex.Transaction, environmentId: number, at: Date): Promise<void> {
  const message = 'the user has to authorize again; why is in the log of the installation that the connection was exported from';
  const messages = [{ at: at.toISOString(), level: 'error', message, facts: {} }] as const;
  const start = { type: 'auth', operation: 'import', environmentId, actor: { kind: 'cli' } } as const;
  const begun = begunRow(start, { messages, now: at });
  if ((await nameOutages(trx, environmentId, begun.id)) === 0) return;
  await insertOperations(trx, [endedRow(begun, { status: 'failure', errorCode: 'invalid_credentials', at })]);
}
