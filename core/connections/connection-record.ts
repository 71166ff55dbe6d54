import type { Json, JsonObject } from '#contract';
import { withoutRefreshTokens } from '../auth-modes/building-blocks/presented.ts';
import { modeOf } from '../auth-modes/index.ts';
import type { Connection } from './connection.ts';
import type { ConnectionListRow } from './connection-row.ts';
import { openConfig } from './secret-config.ts';

/** Which secret parts of a connection the caller may see. */
interface CredentialsView {
  /** False when the caller lacks the scope `read_credentials`; the record's field `credentials` is then `{}`. */
  readonly credentials: boolean;
  /** True to show the secret fields of the configuration. Default: the value of `credentials`. */
  readonly secretConfig?: boolean;
  readonly refreshToken: boolean;
}

/** Returns the connection as the API shows it. */
export function connectionRecord(connection: Connection, view: CredentialsView): JsonObject {
  const { credentials } = connection;
  const config = (view.secretConfig ?? view.credentials) ? connection.connectionConfig : openConfig(connection);
  return {
    ...recordOf({
      id: connection.id,
      connection_id: connection.connectionId,
      provider_config_key: connection.providerConfigKey,
      provider: connection.provider,
      auth_error_log_id: connection.authErrorLogId,
      metadata: connection.metadata,
      connection_config: view.refreshToken ? config : withoutRefreshTokens(config),
      tags: connection.tags,
      end_user: connection.endUser,
      created_at: connection.createdAt,
      updated_at: connection.updatedAt,
      last_fetched_at: connection.lastFetchedAt,
    }),
    credentials: view.credentials ? modeOf(credentials).present(credentials, { withRefreshToken: view.refreshToken }) : {},
  };
}

/**
 * Returns an item of the list: the record without credentials. It repeats `created_at` as `created`, which clients written for
 * the API of another product read.
 */
export function listItem(row: ConnectionListRow): JsonObject {
  const connection_config = withoutRefreshTokens(row.connection_config);
  return { ...recordOf({ ...row, connection_config }), created: row.created_at.toISOString() };
}

function recordOf(row: ConnectionListRow): Record<string, Json> {
  return {
    id: row.id,
    connection_id: row.connection_id,
    provider_config_key: row.provider_config_key,
    provider: row.provider,
    errors: row.auth_error_log_id === null ? [] : [{ type: 'auth', log_id: row.auth_error_log_id }],
    end_user: row.end_user,
    metadata: row.metadata,
    connection_config: row.connection_config,
    tags: row.tags,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    last_fetched_at: row.last_fetched_at.toISOString(),
  };
}
