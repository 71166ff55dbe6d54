import type { Knex } from 'knex';
import { ServiceError } from '../errors.ts';
import { integrationsWithConnection } from './connection-list-store.ts';

/** Maximum number of integrations that the error message names. */
const MAX_NAMED = 20;

/**
 * Returns the key of the integration of a connection that the caller named by its ID alone.
 *
 * @throws ServiceError `unknown_connection` when no integration has a connection with this ID, `invalid_query_params` when
 *   several have
 */
export async function soleIntegrationOf(db: Knex, environmentId: number, connectionId: string): Promise<string> {
  const keys = await integrationsWithConnection(db, environmentId, { connectionId, limit: MAX_NAMED });
  const [key, ...others] = keys;
  if (key === undefined) throw new ServiceError('unknown_connection', `there is no connection "${connectionId}"`);
  if (others.length === 0) return key;
  const message = `several integrations have a connection "${connectionId}": ${keys.join(', ')}; pass provider_config_key`;
  const details = [{ code: 'invalid_value', message, path: ['provider_config_key'] }];
  throw new ServiceError('invalid_query_params', message, { details });
}
