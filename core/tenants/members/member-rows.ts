/** The row types of the tables for members of the dashboard, with columns as in the database. */

export interface MemberRow {
  readonly id: number;
  readonly account_id: number;
  readonly name: string;
  /** In lower case. */
  readonly email: string;
  readonly role: 'viewer' | 'developer' | 'admin';
  /** `scrypt$…`; null for a member who signs in by OpenID Connect only. */
  readonly password: string | null;
  readonly oidc_issuer: string | null;
  readonly oidc_subject: string | null;
  /** True if the member has a second factor, which is then required at each sign-in. */
  readonly has_factor: boolean;
  /** HMAC of the columns that `member-store.ts` names. */
  readonly mac: Buffer;
  readonly created_at: Date;
}

export interface MemberSessionRow {
  readonly id: number;
  readonly member_id: number;
  readonly token_hash: Buffer;
  readonly address: string;
  readonly user_agent: string;
  readonly created_at: Date;
  readonly last_seen_at: Date;
  /** Maximum number of seconds without a request. */
  readonly idle_seconds: number;
  readonly expires_at: Date;
  readonly confirmed_until: Date | null;
  /** True while the password was right but the second factor has not been shown yet. */
  readonly awaits_factor: boolean;
  /** Encrypted challenge that the session's next code or passkey must fit. */
  readonly challenge: Buffer | null;
  /** HMAC of `token_hash`, `member_id` and `awaits_factor`. */
  readonly mac: Buffer;
}

/** A second factor of a member; all recovery codes of a member are one row. */
export interface MemberFactorRow {
  readonly id: number;
  readonly member_id: number;
  readonly kind: 'totp' | 'passkey' | 'recovery';
  readonly name: string;
  /** Encrypted: the secret of TOTP, a passkey's public key, or the hashes of recovery codes. */
  readonly secret: Buffer;
  /** The counter of the last code (RFC 6238 §4.2) or signature (WebAuthn §6.1.1); older ones are refused. */
  readonly counter: number;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

/** A link that can be used once. */
export interface MemberLinkRow {
  readonly id: number;
  readonly token_hash: Buffer;
  /** The purpose: creating the first admin, accepting an invitation, or choosing a new password. */
  readonly kind: 'setup' | 'invitation' | 'password';
  readonly account_id: number;
  readonly member_id: number | null;
  readonly email: string | null;
  readonly role: 'viewer' | 'developer' | 'admin' | null;
  readonly expires_at: Date;
  /** HMAC of all columns above except the ID. */
  readonly mac: Buffer;
}
