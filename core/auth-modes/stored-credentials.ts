/** What is stored of credentials, encrypted, as JSON: dates are ISO 8601 strings. The members beside these are the mode's own. */
export interface StoredCredentials {
  /** The name of the mode that wrote them. */
  readonly type: string;
  /** When the credentials came; with `expiresAt` this gives a token's lifetime. */
  readonly receivedAt: string;
}

/** Tokens, or what takes their place. */
export interface Expiring extends StoredCredentials {
  readonly expiresAt?: string;
  /** The lifetime in the last response that stated one, for responses that state none. */
  readonly statedLifetimeMs?: number;
}

/** An app of the connection's own, in place of the integration's. */
export interface ConfigOverride {
  readonly clientId?: string;
  readonly clientSecret?: string;
}
