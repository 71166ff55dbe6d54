/** The exported tables, each with the columns that are not exported because they are meaningful in their own database only. */
export const LOCAL_COLUMNS = {
  environments: ['id', 'account_id', 'deleted_at', 'name', 'created_at', 'webhook_url_since'],
  environment_variables: ['environment_id'],
  webhook_logins: ['id', 'environment_id', 'created_at'],
  integrations: ['id', 'environment_id', 'deleted_at', 'address_checked_at', 'address_verified_at', 'answered_at'],
  integration_aliases: ['environment_id', 'integration_id'],
  scripts: ['id', 'environment_id', 'integration_id'],
  script_versions: ['id', 'environment_id', 'script_id'],
  // The operation log is not exported, so neither is `auth_error_log_id`, which refers to it.
  connections: ['id', 'environment_id', 'integration_id', 'deleted_at', 'auth_error_log_id', 'handshake_until'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type ExportedTable = keyof typeof LOCAL_COLUMNS;

/** A row as it is exported: columns as `to_jsonb` shows them, and separately, in plain text, the ones that were encrypted. */
export interface PlainRow {
  readonly row: Readonly<Record<string, unknown>>;
  readonly sealed: Readonly<Record<string, string | null>>;
}
