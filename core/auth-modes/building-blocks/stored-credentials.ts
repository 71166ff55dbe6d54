/**
 * Credentials in the form in which they are stored, as encrypted JSON: dates are ISO 8601 strings. All other fields depend on the
 * mode.
 */
export interface StoredCredentials {
  /** The name of the mode that wrote the credentials. */
  readonly type: string;
  /** When the credentials were received; a token's lifetime counts from here. */
  readonly receivedAt: string;
  /** True if the provider's plugin can refresh them; absent: the mode decides. */
  readonly isRefreshable?: boolean;
}

/** Credentials that may expire. */
export interface Expiring extends StoredCredentials {
  readonly expiresAt?: string;
  /** The lifetime in milliseconds that the last response with a lifetime stated; used for responses that state none. */
  readonly statedLifetimeMs?: number;
}

/** Returns the fields of a token's lifetime, without undefined members. */
export function lifetimeOf({ expiresAt, statedLifetimeMs }: Lifetime): Lifetime {
  return { ...(expiresAt !== undefined && { expiresAt }), ...(statedLifetimeMs !== undefined && { statedLifetimeMs }) };
}

type Lifetime = Pick<Expiring, 'expiresAt' | 'statedLifetimeMs'>;

/** The connection's own app, used in place of the integration's. */
export interface ConfigOverride {
  readonly clientId?: string;
  readonly clientSecret?: string;
}
