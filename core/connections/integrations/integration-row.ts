import type { JsonObject } from '#contract';

export interface IntegrationRow {
  readonly id: number;
  readonly environment_id: number;
  readonly unique_key: string;
  readonly provider: string;
  readonly display_name: string;
  readonly forward_webhooks: boolean;
  /** Null: the guide of the provider's definition applies. */
  readonly connect_guide_url: string | null;
  /** Null: ordered by name, after the integrations that have a position. */
  readonly connect_position: number | null;
  readonly client: Buffer;
  /** True when `client` holds former clients, which may have authorized existing connections. */
  readonly has_former_clients: boolean;
  readonly integration_config: JsonObject;
  /** The encrypted secret fields of the configuration; null when there are none. */
  readonly secret_config: Buffer | null;
  /** The MAC that proves that this service wrote the provider and the configuration of the row. */
  readonly mac: Buffer;
  /** When a provider, or anybody else who knows the webhook address, last checked it; null when nobody has so far. */
  readonly address_checked_at: Date | null;
  /**
   * When the webhook address was last checked by a request that proved its origin by a value that only the integration's settings
   * hold; null when it never was.
   */
  readonly address_verified_at: Date | null;
  /** When the provider last answered a call with 2xx; null when it never did. */
  readonly answered_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
}
