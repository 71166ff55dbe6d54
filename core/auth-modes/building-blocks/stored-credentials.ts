/** Credentials as they are stored, in encrypted JSON with dates as ISO 8601 strings. All other fields depend on the mode. */
export interface StoredCredentials {
  /** The name of the mode that wrote the credentials. */
  readonly type: string;
  /** When the credentials were received. The lifetime of a token is counted from then. */
  readonly receivedAt: string;
  /** True if the provider's plugin can refresh the credentials; if absent, the mode decides whether they can be refreshed. */
  readonly isRefreshable?: boolean;
}

/** Credentials that may expire. */
export interface Expiring extends StoredCredentials {
  readonly expiresAt?: string;
  /** The lifetime in milliseconds from the latest response that stated one; it is assumed for responses that state none. */
  readonly statedLifetimeMs?: number;
}

/** Returns the fields that describe a token's lifetime, omitting those that are undefined. */
export function lifetimeOf({ expiresAt, statedLifetimeMs }: Lifetime): Lifetime {
  return { ...(expiresAt !== undefined && { expiresAt }), ...(statedLifetimeMs !== undefined && { statedLifetimeMs }) };
}

type Lifetime = Pick<Expiring, 'expiresAt' | 'statedLifetimeMs'>;

/** The connection's own app, used in place of the integration's. */
export interface ConfigOverride {
  readonly clientId?: string;
  readonly clientSecret?: string;
}
