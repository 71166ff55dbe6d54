import type { JsonObject } from '#contract';

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
  readonly integration_config: JsonObject;
  /** Envelope of the secret members of the configuration; null: there are none. */
  readonly secret_config: Buffer | null;
  /** Proof of provider and configuration. */
  readonly mac: Buffer;
  /** When somebody last checked the webhook address; null: nobody so far. */
  readonly address_checked_at: Date | null;
  /** The same, by a request with a value that only the settings hold. */
  readonly address_verified_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
}
