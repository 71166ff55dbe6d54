/** Credentials as stored, encrypted, as JSON: dates are ISO 8601 strings. All other fields depend on the mode. */
export interface StoredCredentials {
  /** The name of the mode that wrote them. */
  readonly type: string;
  /** When the credentials were received; a token's lifetime counts from here. */
  readonly receivedAt: string;
  /** Whether the provider's plugin can renew them; absent: the mode decides. */
  readonly isRefreshable?: boolean;
}

/** Credentials that may expire. */
export interface Expiring extends StoredCredentials {
  readonly expiresAt?: string;
  /** The lifetime in the last response that stated one, for responses that state none. */
  readonly statedLifetimeMs?: number;
}

/** The lifetime of a token, as it is stored. */
export function lifetimeOf({ expiresAt, statedLifetimeMs }: Lifetime): Lifetime {
  return { ...(expiresAt !== undefined && { expiresAt }), ...(statedLifetimeMs !== undefined && { statedLifetimeMs }) };
}

type Lifetime = Pick<Expiring, 'expiresAt' | 'statedLifetimeMs'>;

/** An app of the connection's own, in place of the integration's. */
export interface ConfigOverride {
  readonly clientId?: string;
  readonly clientSecret?: string;
}
