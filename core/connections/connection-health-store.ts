import type { Knex } from 'knex';
import type { ConnectionRow } from './connection-row.ts';
import type { ConnectionAddress } from './connection-store.ts';

const COLUMNS = [
  'id',
  'environment_id',
  'state',
  'state_cause',
  'state_since',
  'refreshable',
  'refresh_after',
  'refresh_failures',
  'last_refresh_at',
  'expires_at',
  'auth_error_log_id',
  'provider_account',
] as const;

export type HealthRow = Pick<ConnectionRow, (typeof COLUMNS)[number]> & {
  /** When a worker refreshes or verifies the credentials; null when none will. */
  readonly due_at: Date | null;
  readonly is_expired: boolean;
  /** True while a refresh is under way. */
  readonly is_refreshing: boolean;
};

/**
 * Reads the columns that describe a connection's health; only the provider account among them is encrypted.
 *
 * @returns undefined when there is no such connection
 */
export async function readHealth(
  db: Knex,
  { environmentId, providerConfigKey, connectionId }: ConnectionAddress,
): Promise<HealthRow | undefined> {
  return db('connections')
    .join('integrations', 'integrations.id', 'connections.integration_id')
    .leftJoin('refreshes', 'refreshes.connection_id', 'connections.id')
    .where({
      'connections.environment_id': environmentId,
      'connections.connection_id': connectionId,
      'integrations.environment_id': environmentId,
      'integrations.unique_key': providerConfigKey,
    })
    .whereNull('connections.deleted_at')
    .whereNull('integrations.deleted_at')
    .first<HealthRow | undefined>([
      ...COLUMNS.map((column) => `connections.${column}`),
      'refreshes.due_at',
      db.raw('refreshes.owner is not null as is_refreshing'),
      db.raw('coalesce(connections.expires_at <= clock_timestamp(), false) as is_expired'),
    ]);
}
