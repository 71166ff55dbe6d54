import type { Knex } from 'knex';
import type { ConnectionState } from './connection.ts';
import type { ConnectionRow } from './connection-row.ts';

type ConnectionCounts = Readonly<Record<ConnectionState, number>>;

const NONE: ConnectionCounts = { healthy: 0, degraded: 0, needs_reauth: 0, pending: 0 };

/**
 * Counts the connections of these integrations by state. The totals come from the index `connections_identity`, which does not
 * contain the state. The connections that are not healthy are few; they are counted from the index `connections_unhealthy`.
 */
export async function connectionCounts(
  db: Knex,
  environmentId: number,
  integrationIds: readonly number[],
): Promise<(integrationId: number) => ConnectionCounts> {
  const totals = await db<ConnectionRow>('integrations')
    .join('connections', 'connections.integration_id', 'integrations.id')
    .where('integrations.environment_id', environmentId)
    .whereRaw('integrations.id = any(?)', [[...integrationIds]])
    .whereNull('connections.deleted_at')
    .groupBy('integrations.id')
    .select<{ id: number; count: number }[]>('integrations.id', db.raw('count(*)::int as count'));
  const unhealthy = await db<ConnectionRow>('connections')
    .where('environment_id', environmentId)
    .whereRaw('integration_id = any(?)', [[...integrationIds]])
    .whereNot('state', 'healthy')
    .whereNull('deleted_at')
    .groupBy('integration_id', 'state')
    .select<{ integration_id: number; state: ConnectionState; count: number }[]>(
      'integration_id',
      'state',
      db.raw('count(*)::int as count'),
    );
  return (integrationId) => {
    const own = unhealthy.filter(({ integration_id: id }) => id === integrationId);
    const total = totals.find(({ id }) => id === integrationId)?.count ?? 0;
    const healthy = Math.max(0, total - own.reduce((sum, { count }) => sum + count, 0));
    return { ...NONE, healthy, ...Object.fromEntries(own.map(({ state, count }) => [state, count])) };
  };
}

/** Counts the connections of the environment by state; no count exceeds `limit`. */
export async function environmentCounts(db: Knex, environmentId: number, limit: number): Promise<ConnectionCounts> {
  const counted = (state?: ConnectionState) => {
    const some = db<ConnectionRow>('connections').where('environment_id', environmentId).whereNull('deleted_at').limit(limit);
    // Repeats the condition of the index `connections_unhealthy`, so that this small index is used.
    if (state !== undefined) some.where('state', state).whereNot('state', 'healthy');
    return db.from(some.select('id').as('some')).first<{ count: number }>(db.raw('count(*)::int as count'));
  };
  const { count: total } = await counted();
  const { count: degraded } = await counted('degraded');
  const { count: needs_reauth } = await counted('needs_reauth');
  const { count: pending } = await counted('pending');
  return { healthy: Math.max(0, total - degraded - needs_reauth - pending), degraded, needs_reauth, pending };
}

/**
 * Counts the connections of an integration by the fingerprint of the client that authorized them; null: authorized without a
 * client.
 */
export async function countsByClient(
  db: Knex,
  { environmentId, integrationId }: { readonly environmentId: number; readonly integrationId: number },
): Promise<readonly { readonly fingerprint: string | null; readonly count: number }[]> {
  return db<ConnectionRow>('connections')
    .where({ environment_id: environmentId, integration_id: integrationId })
    .whereNull('deleted_at')
    .groupBy('client_fingerprint')
    .select('client_fingerprint as fingerprint', db.raw('count(*)::int as count'));
}
