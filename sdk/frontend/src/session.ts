/** A connect session: what may be connected with it, and how. */
export interface Session {
  readonly integrations: readonly IntegrationSummary[];
  readonly reconnect: { readonly integration: string; readonly account: ProviderAccount | null } | null;
  readonly brand: {
    readonly name: string | null;
    readonly logo_url: string | null;
    readonly color: string | null;
    readonly radius: number | null;
    readonly theme: Theme;
  };
  readonly return_url: string | null;
  readonly expires_at: string;
  readonly is_production: boolean;
}

export interface ProviderAccount {
  readonly name?: string;
  readonly email?: string;
}

export type Theme = 'light' | 'dark' | 'system';

export interface IntegrationSummary {
  readonly unique_key: string;
  readonly display_name: string;
  readonly provider: string;
  readonly logo_url: string;
  readonly categories: readonly string[];
  /** How a user connects: at the provider's own page, by typing credentials, or without being asked for anything. */
  readonly way: 'sign_in' | 'form' | 'none';
}

/** One integration with its form: pass what the user types to `auth` by the fields' paths. */
export interface Integration extends Omit<IntegrationSummary, 'categories'> {
  readonly sign_in_host: string | null;
  readonly guide_url: string | null;
  readonly scopes: readonly { readonly name: string; readonly description: string }[];
  /** The fields in the order in which they are shown, without those that the session has preset. */
  readonly fields: readonly Field[];
  readonly is_reconnect: boolean;
}

export interface Field {
  readonly path: readonly ['params' | 'credentials', string];
  readonly title: string;
  readonly description?: string;
  readonly example?: string;
  readonly secret?: boolean;
  readonly multiline?: boolean;
  readonly format?: string;
  /** A regular expression (flag `u`) that the whole value must match. */
  readonly pattern?: string;
  readonly pattern_message?: string;
  readonly hint?: string;
  readonly prefix?: string;
  readonly suffix?: string;
  readonly enum?: readonly string[];
  readonly optional?: boolean;
  readonly optional_with?: string;
  readonly default_value?: string;
  readonly help_url?: string;
  readonly warnings?: Readonly<Record<string, string>>;
  readonly visible_when?: { readonly field: string; readonly equals: string };
}
