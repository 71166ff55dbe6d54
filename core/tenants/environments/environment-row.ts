export interface EnvironmentRow extends ConnectSettingColumns {
  readonly id: number;
  readonly account_id: number;
  readonly uuid: string;
  readonly name: string;
  readonly is_production: boolean;
  readonly callback_url: string | null;
  readonly webhook_url: string | null;
  /** When `webhook_url` was last changed; null when it never was, or by an earlier release. */
  readonly webhook_url_since: Date | null;
  readonly webhook_url_secondary: string | null;
  readonly webhook_secret: Buffer | null;
  /** The previous secret, which also signs until `webhook_secret_old_until`. */
  readonly webhook_secret_old: Buffer | null;
  readonly webhook_secret_old_until: Date | null;
  /** The key with which the tags in webhook URLs are computed: a tag proves that the service created the URL. */
  readonly webhook_tag_key: Buffer | null;
  /** Deprecated: lets browsers connect in this environment without a session. */
  readonly public_key: string | null;
  readonly hmac_key: Buffer | null;
  readonly on_new_connection: boolean;
  readonly on_refresh: boolean;
  readonly on_deletion: boolean;
  readonly created_at: Date;
  readonly deleted_at: Date | null;
}

/** The settings of an environment for the pages on which end users connect. */
interface ConnectSettingColumns {
  /** Null or empty means any. */
  readonly allowed_origins: string[] | null;
  /** Null or empty means none. */
  readonly return_urls: string[] | null;
  readonly brand_name: string | null;
  readonly brand_logo: Buffer | null;
  readonly brand_logo_type: string | null;
  readonly brand_logo_hash: string | null;
  readonly brand_color: string | null;
  readonly brand_radius: number | null;
  readonly brand_theme: string | null;
  /** Null means the browser's language. */
  readonly brand_language: string | null;
}
