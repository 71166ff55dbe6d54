import type { Knex } from 'knex';
import type { ConnectSession } from '../../connections/connect-sessions/session.ts';
import type { FlowOutcome } from './flow-outcome.ts';
import type { AuthorizationFlowRow } from './flow-row.ts';

/**
 * Detaches the client from an older flow: the user has gone back and begins again in the same window, so the client waits for the
 * newer flow.
 */
export async function releaseClientId(
  db: Knex,
  { id, environmentId }: Pick<ConnectSession, 'id' | 'environmentId'>,
  clientId: string,
): Promise<void> {
  await db<AuthorizationFlowRow>('authorization_flows')
    .where({ session_id: id, environment_id: environmentId, public_id: clientId, mode: 'client' })
    .whereNull('outcome')
    .update({ public_id: null });
}

interface EndedClientFlow {
  readonly clientId: string;
  readonly uniqueKey: string;
  readonly outcome: FlowOutcome;
}

/**
 * Returns the ended flows that clients of existing frontends (`ClientChannels`) wait for. Clients know them by IDs that the
 * service generates, which nobody can guess and which belong to no environment.
 */
export async function findEndedClientFlows(db: Knex, clientIds: readonly string[]): Promise<EndedClientFlow[]> {
  const rows = await db('authorization_flows as flow')
    .join('integrations as integration', (on) =>
      on.on('integration.id', 'flow.integration_id').andOn('integration.environment_id', 'flow.environment_id'),
    )
    .whereIn('flow.public_id', [...clientIds])
    .where('flow.mode', 'client')
    .whereNotNull('flow.outcome')
    .select('flow.public_id', 'integration.unique_key', 'flow.outcome');
  return rows.map(({ public_id: clientId, unique_key: uniqueKey, outcome }) => ({ clientId, uniqueKey, outcome }));
}
