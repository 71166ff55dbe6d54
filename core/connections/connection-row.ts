import type { JsonObject } from '#contract';
import type { StoredCredentials } from '../auth-modes/auth-mode.ts';
import { parseJson } from '../kit/exact-json.ts';
import type { KeyRing, Place } from '../kit/key-ring.ts';
import type { Connection, EndUser, StoredAccount } from './connection.ts';

export interface ConnectionRow {
  readonly id: number;
  readonly environment_id: number;
  readonly integration_id: number;
  readonly connection_id: string;
  readonly credentials: Buffer;
  /** The envelope of the secret fields of `connection_config`; null when there are none. */
  readonly secret_config: Buffer | null;
  readonly generation: number;
  readonly expires_at: Date | null;
  readonly refreshable: boolean;
  readonly refreshed_at: Date;
  /** When the credentials were last refreshed; null when they never were. `refreshed_at` is also set by other proofs. */
  readonly last_refresh_at: Date | null;
  readonly refresh_unknown: boolean;
  readonly refresh_failures: number;
  readonly refresh_after: Date | null;
  readonly state: 'healthy' | 'degraded' | 'needs_reauth' | 'pending';
  readonly state_cause: string | null;
  readonly state_since: Date;
  /**
   * When the application was last notified of an outage of the provider. A time before `state_since` concerns an earlier outage.
   */
  readonly outage_told_at: Date | null;
  readonly auth_error_log_id: string | null;
  /** The fingerprint of the client by which the connection was authorized; null when it was authorized without one. */
  readonly client_fingerprint: string | null;
  readonly metadata: JsonObject;
  readonly connection_config: JsonObject;
  readonly tags: Readonly<Record<string, string>>;
  readonly end_user: JsonObject | null;
  readonly webhook_url_override: string | null;
  readonly subscription: JsonObject;
  /** The envelope of the account at the provider; null when the account is unknown. */
  readonly provider_account: Buffer | null;
  /** The envelope of the secrets that handshakes have brought to the connection's webhook address; null when there are none. */
  readonly handshake_secrets: Buffer | null;
  /** The time until which a handshake may bring a secret; null when none has been expected so far. */
  readonly handshake_until: Date | null;
  /** False while its words for the search are missing. */
  readonly is_searchable: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly last_fetched_at: Date;
  readonly deleted_at: Date | null;
}

/** The columns of `connections` that a `Connection` is built from. */
export const READ_COLUMNS = [
  'id',
  'environment_id',
  'integration_id',
  'connection_id',
  'credentials',
  'secret_config',
  'generation',
  'expires_at',
  'refresh_after',
  'refreshed_at',
  'state',
  'auth_error_log_id',
  'client_fingerprint',
  'metadata',
  'connection_config',
  'tags',
  'end_user',
  'webhook_url_override',
  'subscription',
  'provider_account',
  'created_at',
  'updated_at',
  'last_fetched_at',
] as const satisfies readonly (keyof ConnectionRow)[];

/** The `READ_COLUMNS` of a row, with the key and the provider of its integration. */
export type JoinedRow = Pick<ConnectionRow, (typeof READ_COLUMNS)[number]> & {
  readonly provider_config_key: string;
  readonly provider: string;
};

/** The attributes set by the application, which every event about the connection repeats. */
export type CallerAttributes = Pick<Connection, 'tags' | 'endUser' | 'webhookUrlOverride'>;

export const ATTRIBUTE_COLUMNS = ['tags', 'end_user', 'webhook_url_override'] as const satisfies readonly (keyof ConnectionRow)[];

export function callerAttributes(row: Pick<ConnectionRow, (typeof ATTRIBUTE_COLUMNS)[number]>): CallerAttributes {
  return { tags: row.tags, endUser: row.end_user as EndUser | null, webhookUrlOverride: row.webhook_url_override };
}

/** The columns that a list shows: no credentials, nothing encrypted. */
export type ConnectionListRow = Pick<
  JoinedRow,
  | 'id'
  | 'connection_id'
  | 'provider_config_key'
  | 'provider'
  | 'auth_error_log_id'
  | 'metadata'
  | 'connection_config'
  | 'tags'
  | 'end_user'
  | 'created_at'
  | 'updated_at'
  | 'last_fetched_at'
>;

/**
 * Identifies the row of a connection, its environment and its integration, which decides to which hosts the credentials are sent.
 */
export type ConnectionPlace = Pick<Connection, 'id' | 'environmentId' | 'integrationId'>;

/**
 * Returns the column, row and integration that the encryption of a connection's credentials is bound to: an envelope moved to
 * another row or integration cannot be decrypted there.
 */
export function credentialsPlace({ environmentId, id, integrationId }: ConnectionPlace): Place {
  return { table: 'connections', column: 'credentials', environmentId, rowId: id, boundTo: `integration ${integrationId}` };
}

export function secretConfigPlace(row: ConnectionPlace): Place {
  return { ...credentialsPlace(row), column: 'secret_config' };
}

export function handshakeSecretsPlace(row: ConnectionPlace): Place {
  return { ...credentialsPlace(row), column: 'handshake_secrets' };
}

/**
 * The column of the account at the provider, and the columns that identify the row to which the account's encryption is bound.
 */
export type AccountColumns = Pick<ConnectionRow, 'id' | 'environment_id' | 'provider_account'>;

export function openAccount(keys: KeyRing, row: AccountColumns): StoredAccount | null {
  if (row.provider_account === null) return null;
  return parseJson(keys.decrypt(row.provider_account, accountPlace({ id: row.id, environmentId: row.environment_id })));
}

export function accountPlace({ environmentId, id }: Pick<ConnectionPlace, 'environmentId' | 'id'>): Place {
  return { table: 'connections', column: 'provider_account', environmentId, rowId: id };
}

export function fromRow(keys: KeyRing, row: JoinedRow): Connection {
  const owner = { environmentId: row.environment_id, id: row.id, integrationId: row.integration_id };
  const secretConfig = secretConfigOf(keys, row, owner);
  return {
    id: row.id,
    environmentId: row.environment_id,
    integrationId: row.integration_id,
    connectionId: row.connection_id,
    providerConfigKey: row.provider_config_key,
    provider: row.provider,
    credentials: parseJson(keys.decrypt(row.credentials, credentialsPlace(owner))) as StoredCredentials,
    generation: row.generation,
    expiresAt: row.expires_at,
    refreshAfter: row.refresh_after,
    refreshedAt: row.refreshed_at,
    state: row.state,
    authErrorLogId: row.auth_error_log_id,
    clientFingerprint: row.client_fingerprint,
    metadata: row.metadata,
    connectionConfig: { ...row.connection_config, ...secretConfig },
    secretConfig,
    ...callerAttributes(row),
    subscription: row.subscription,
    providerAccount: openAccount(keys, row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastFetchedAt: row.last_fetched_at,
  };
}

function secretConfigOf(keys: KeyRing, row: JoinedRow, owner: ConnectionPlace): JsonObject {
  if (row.secret_config === null) return {};
  return parseJson(keys.decrypt(row.secret_config, secretConfigPlace(owner))) as JsonObject;
}
