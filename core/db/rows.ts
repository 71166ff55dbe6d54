import type { ConnectSettingColumns } from './connect-setting-columns.ts';

/** One type per table, columns as in the database. `bytea` is a Buffer, `jsonb` comes parsed, times are Dates. */

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | Json;
type Json = { readonly [key: string]: JsonValue };

export interface EnvironmentRow extends ConnectSettingColumns {
  readonly id: number;
  readonly account_id: number;
  readonly uuid: string;
  readonly name: string;
  readonly is_production: boolean;
  readonly callback_url: string | null;
  readonly webhook_url: string | null;
  readonly webhook_url_secondary: string | null;
  readonly webhook_secret: Buffer | null;
  /** The one before, which signs too until its time is over. */
  readonly webhook_secret_old: Buffer | null;
  readonly webhook_secret_old_until: Date | null;
  /** What the tags of registered webhook addresses are made with. */
  readonly webhook_tag_key: Buffer | null;
  /** Deprecated: lets browsers of this environment connect without a session. */
  readonly public_key: string | null;
  readonly hmac_key: Buffer | null;
  readonly on_new_connection: boolean;
  readonly on_refresh: boolean;
  readonly on_deletion: boolean;
  readonly created_at: Date;
  readonly deleted_at: Date | null;
}

export interface EnvironmentVariableRow {
  readonly environment_id: number;
  readonly name: string;
  readonly value: Buffer;
}

export interface ApiKeyRow {
  readonly id: number;
  readonly account_id: number;
  /** Null for a key of the account plane. */
  readonly environment_id: number | null;
  readonly name: string;
  readonly secret_hash: Buffer;
  readonly scopes: string[];
  readonly created_at: Date;
  readonly revoked_at: Date | null;
  /** Compared with the clock of the instance; null: it does not end by itself. */
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
  /** How its secret ends; null: made by the release before. */
  readonly last4: string | null;
  /** The name of who made it, then. */
  readonly created_by: string | null;
  /** Proof of what it opens and for whom; null: written by the release before. */
  readonly mac: Buffer | null;
}

export interface IdempotencyKeyRow {
  readonly id: number;
  /** Null on the account plane. */
  readonly environment_id: number | null;
  readonly api_key_id: number;
  readonly scope_hash: Buffer;
  readonly request: Buffer;
  readonly answer: Buffer | null;
  readonly claimed_until: Date;
  readonly expires_at: Date;
}

export interface ConnectionDeletionRow {
  readonly connection_id: number;
  readonly environment_id: number;
  readonly integration_id: number;
  readonly step: 'script' | 'clean-up' | 'revoke' | 'erase';
  readonly due_at: Date;
  readonly created_at: Date;
}

export interface EncryptionKeyRow {
  readonly key_id: string;
  readonly canary: Buffer;
  readonly created_at: Date;
  /** Since then it encrypts nothing; null: it may. */
  readonly retired_at: Date | null;
  /** Since then it need not be given: nothing was left that needs it. */
  readonly unneeded_at: Date | null;
}

export interface KeyReportRow {
  readonly instance_id: string;
  readonly key_ids: string[];
  readonly current_key_id: string;
  readonly reported_at: Date;
}

export interface IntegrationRow {
  readonly id: number;
  readonly environment_id: number;
  readonly unique_key: string;
  readonly provider: string;
  readonly display_name: string;
  readonly forward_webhooks: boolean;
  /** Null: that of the provider's definition. */
  readonly connect_guide_url: string | null;
  /** Null: by name, after those that have one. */
  readonly connect_position: number | null;
  readonly client: Buffer;
  /** `client` holds former clients, which connections may need. */
  readonly has_former_clients: boolean;
  readonly integration_config: Json;
  /** Envelope of the secret members of the configuration; null: there are none. */
  readonly secret_config: Buffer | null;
  /** Proof of provider and configuration; null: written by the release before. */
  readonly mac: Buffer | null;
  /** When somebody last checked the webhook address; null: nobody so far. */
  readonly address_checked_at: Date | null;
  /** The same, by a request with a value that only the settings hold. */
  readonly address_verified_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
}

export interface IntegrationAliasRow {
  readonly environment_id: number;
  readonly unique_key: string;
  readonly integration_id: number;
  readonly created_at: Date;
}

export interface ConnectionRow {
  readonly id: number;
  readonly environment_id: number;
  readonly integration_id: number;
  readonly connection_id: string;
  readonly credentials: Buffer;
  /** Envelope of the secret members of `connection_config`; null: there are none. */
  readonly secret_config: Buffer | null;
  readonly generation: number;
  readonly expires_at: Date | null;
  readonly refreshable: boolean;
  readonly refreshed_at: Date;
  readonly refresh_unknown: boolean;
  readonly refresh_failures: number;
  readonly refresh_after: Date | null;
  readonly state: 'healthy' | 'degraded' | 'needs_reauth' | 'pending';
  readonly state_cause: string | null;
  readonly state_since: Date;
  /** When the application was notified of an outage of the provider; of an earlier one if before `state_since`. */
  readonly outage_told_at: Date | null;
  readonly auth_error_log_id: string | null;
  /** Of the client it was authorized by; null: by one before that was recorded, or by none. */
  readonly client_fingerprint: string | null;
  readonly metadata: Json;
  readonly connection_config: Json;
  readonly tags: Readonly<Record<string, string>>;
  readonly end_user: Json | null;
  readonly webhook_url_override: string | null;
  readonly subscription: Json;
  /** Envelope of the account at the provider; null: unknown. */
  readonly provider_account: Buffer | null;
  /** Envelope of the secrets that handshakes have brought to its webhook address; null: there are none. */
  readonly handshake_secrets: Buffer | null;
  /** Until when a handshake may bring one; null: none was expected so far. */
  readonly handshake_until: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly last_fetched_at: Date;
  readonly deleted_at: Date | null;
}

export interface ConnectSessionRow {
  readonly id: number;
  readonly environment_id: number;
  readonly token_hash: Buffer;
  readonly tags: Readonly<Record<string, string>>;
  readonly allowed_integrations: string[] | null;
  readonly allow_account_change: boolean;
  readonly defaults: Buffer | null;
  readonly end_user: Json | null;
  readonly webhook_url_override: string | null;
  readonly reconnect_id: number | null;
  /** Deprecated: the ID that a caller with the public key chose for its connection. */
  readonly connection_id: string | null;
  readonly authorization_presets: Buffer | null;
  readonly overrides: Json | null;
  readonly replaces: string[] | null;
  readonly return_url: string | null;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly ended_at: Date | null;
}

export interface AuthorizationFlowRow {
  readonly id: number;
  readonly environment_id: number;
  readonly session_id: number;
  readonly integration_id: number;
  /** Null until the browser has been sent to the provider, like the next. */
  readonly state_hash: Buffer | null;
  readonly browser_hash: Buffer | null;
  readonly secrets: Buffer;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly used_at: Date | null;
  /** Null while the exchange is under way, and in rows that an earlier release has used. */
  readonly outcome: Json | null;
  readonly exchanging_until: Date | null;
  /** Given by the user interface that began the flow. */
  readonly public_id: string | null;
  /** Envelope of the tokens and options of a flow whose user has to choose. */
  readonly choice: Buffer | null;
  readonly choice_expires_at: Date | null;
  /** Null in rows of the release before, and of browsers that no user interface has sent. */
  readonly flow_state: string | null;
  readonly version: number;
  /** Null: not begun by `POST /connect/flows`. */
  readonly mode: string | null;
  readonly launch_hash: Buffer | null;
}

export interface ProviderProbeRow {
  readonly slug: string;
  readonly definition_hash: Buffer;
  readonly answered_at: Date;
}
