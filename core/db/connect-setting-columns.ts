/** Of environments: what they set for the pages on which their end users connect. */
export interface ConnectSettingColumns {
  /** Null or empty: any. */
  readonly allowed_origins: string[] | null;
  /** Null or empty: none. */
  readonly return_urls: string[] | null;
  readonly brand_name: string | null;
  readonly brand_logo: Buffer | null;
  readonly brand_logo_type: string | null;
  readonly brand_logo_hash: string | null;
  readonly brand_color: string | null;
  readonly brand_radius: number | null;
  readonly brand_theme: string | null;
  /** Null: the browser's. */
  readonly brand_language: string | null;
}
