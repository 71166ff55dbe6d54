import type { JsonObject, ProviderAccount } from '#contract';
import type { StoredCredentials } from '../auth-modes/auth-mode.ts';

export type ConnectionState = 'healthy' | 'degraded' | 'needs_reauth' | 'pending';

/** One end user's authorization at one integration, with decrypted credentials. A snapshot: changing it changes nothing. */
export interface Connection {
  readonly id: number;
  readonly environmentId: number;
  readonly integrationId: number;
  /** The public ID, unique within its integration. */
  readonly connectionId: string;
  readonly providerConfigKey: string;
  readonly provider: string;
  readonly credentials: StoredCredentials;
  /** Counts the writes of the credentials; each write is a compare-and-set on this number. */
  readonly generation: number;
  /** When the credentials expire, by the database's clock; null when the provider stated no credible lifetime. */
  readonly expiresAt: Date | null;
  /** No refresh happens before this time of the database's clock (back-off). */
  readonly refreshAfter: Date | null;
  readonly refreshedAt: Date;
  readonly state: ConnectionState;
  readonly authErrorLogId: string | null;
  /** The fingerprint of the client by which the connection was authorized; null when it was authorized without one. */
  readonly clientFingerprint: string | null;
  readonly metadata: JsonObject;
  /** The whole configuration, `secretConfig` included: a caller without `read_credentials` sees only `openConfig`. */
  readonly connectionConfig: JsonObject;
  /** The part of the configuration that the provider's definition marks `secret`; stored encrypted. */
  readonly secretConfig: JsonObject;
  readonly tags: Tags;
  readonly endUser: EndUser | null;
  readonly webhookUrlOverride: string | null;
  readonly subscription: JsonObject;
  /** The account at the provider that the connection belongs to; null when it is unknown. */
  readonly providerAccount: StoredAccount | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly lastFetchedAt: Date;
}

/**
 * The account at the provider as it is stored. `origin` names the server that issued the ID; present if a setting decides which
 * server that is, since equal IDs of two servers do not mean the same account.
 */
export interface StoredAccount extends ProviderAccount {
  readonly origin?: string;
}

export type Tags = Readonly<Record<string, string>>;

/** The deprecated predecessor of tags. Stored and shown in the same shape: every field is present. */
export interface EndUser extends JsonObject {
  readonly id: string;
  readonly email: string | null;
  readonly display_name: string | null;
  readonly tags: Readonly<Record<string, string>>;
  readonly organization: { readonly id: string; readonly display_name: string | null } | null;
}
