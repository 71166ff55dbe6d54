import type { JsonObject, ProviderAccount } from '#contract';
import type { StoredCredentials } from '../auth-modes/auth-mode.ts';

export type ConnectionState = 'healthy' | 'degraded' | 'needs_reauth' | 'pending';

/** One end user's authorization at one integration, credentials decrypted. A snapshot: changing it changes nothing. */
export interface Connection {
  readonly id: number;
  readonly environmentId: number;
  readonly integrationId: number;
  /** The public ID, unique within its integration. */
  readonly connectionId: string;
  readonly providerConfigKey: string;
  readonly provider: string;
  readonly credentials: StoredCredentials;
  /** Counts the writes of credentials; every write of them is a compare-and-set on it. */
  readonly generation: number;
  /** By the database's clock; null: the provider stated no lifetime that can be believed. */
  readonly expiresAt: Date | null;
  /** No refresh before this time of the database's clock (back-off). */
  readonly refreshAfter: Date | null;
  readonly refreshedAt: Date;
  readonly state: ConnectionState;
  readonly authErrorLogId: string | null;
  /** Of the client it was authorized by; null: by none. */
  readonly clientFingerprint: string | null;
  readonly metadata: JsonObject;
  /** All of it, `secretConfig` included: a caller without `read_credentials` sees `openConfig` only. */
  readonly connectionConfig: JsonObject;
  /** The part that the definition marks `secret`; stored encrypted. */
  readonly secretConfig: JsonObject;
  readonly tags: Tags;
  readonly endUser: EndUser | null;
  readonly webhookUrlOverride: string | null;
  readonly subscription: JsonObject;
  /** Whose account at the provider it is; null: unknown. */
  readonly providerAccount: StoredAccount | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly lastFetchedAt: Date;
}

/** `origin` is the server that the ID is from, where a setting decides which; IDs of two servers are unrelated. */
export interface StoredAccount extends ProviderAccount {
  readonly origin?: string;
}

export type Tags = Readonly<Record<string, string>>;

/** Deprecated in favour of tags. As it is stored and as it is shown: every member is there. */
export interface EndUser extends JsonObject {
  readonly id: string;
  readonly email: string | null;
  readonly display_name: string | null;
  readonly tags: Readonly<Record<string, string>>;
  readonly organization: { readonly id: string; readonly display_name: string | null } | null;
}
