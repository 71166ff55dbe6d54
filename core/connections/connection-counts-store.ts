import type { Knex } from 'knex';
import type { ConnectionState } from './connection.ts';
import type { ConnectionRow } from './connection-row.ts';

/** The number at which counting ends, so that counts are fast however many connections there are. */
export const MOST_COUNTED = 1_000;

type ConnectionCounts = Readonly<Record<ConnectionState, number>>;

const NONE: ConnectionCounts = { healthy: 0, degraded: 0, needs_reauth: 0, pending: 0 };

interface StateCount {
  readonly state: ConnectionState;
  readonly count: number;
}

/** Counts the connections of these integrations by state; `MOST_COUNTED` stands for that many or more. */
export async function connectionCounts(
  db: Knex,
  environmentId: number,
  integrationIds: readonly number[],
): Promise<(integrationId: number) => ConnectionCounts> {
  const { rows } = await db.raw<{ rows: (StateCount & { readonly id: number })[] }>(COUNTS_OF_INTEGRATIONS, {
    environmentId,
    ids: [...integrationIds],
    states: Object.keys(NONE),
    most: MOST_COUNTED,
  });
  return (integrationId) => countsOf(rows.filter(({ id }) => id === integrationId));
}

/** Counts the connections of the environment by state; `MOST_COUNTED` stands for that many or more. */
export async function environmentCounts(db: Knex, environmentId: number): Promise<ConnectionCounts> {
  const bindings = { environmentId, states: Object.keys(NONE), most: MOST_COUNTED };
  const { rows } = await db.raw<{ rows: StateCount[] }>(COUNTS_OF_ENVIRONMENT, bindings);
  return countsOf(rows);
}

/** Returns the sum of the counts, of which at most `MOST_COUNTED` is meant. */
export function totalOf(counts: ConnectionCounts): number {
  return Math.min(
    MOST_COUNTED,
    Object.values(counts).reduce((sum, count) => sum + count, 0),
  );
}

function countsOf(rows: readonly StateCount[]): ConnectionCounts {
  return { ...NONE, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) };
}

/** Reads the index `connections_of_integration` alone. */
const COUNTS_OF_INTEGRATIONS = `
  select integrations.id, state, count from integrations cross join unnest(:states::text[]) as states (state)
  cross join lateral (
    select count(*)::int as count from (
      select from connections
      where integration_id = integrations.id and connections.state = states.state and deleted_at is null limit :most
    ) as first
  ) counted
  where integrations.environment_id = :environmentId and integrations.id = any(:ids)`;

/** Reads the index `connections_by_state` alone. */
const COUNTS_OF_ENVIRONMENT = `
  select state, count from unnest(:states::text[]) as states (state)
  cross join lateral (
    select count(*)::int as count from (
      select from connections
      where environment_id = :environmentId and connections.state = states.state and deleted_at is null limit :most
    ) as first
  ) counted`;

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
