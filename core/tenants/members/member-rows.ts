/** One type per table of the dashboard's people, columns as in the database. */

export interface MemberRow {
  readonly id: number;
  readonly account_id: number;
  readonly name: string;
  /** Lower case. */
  readonly email: string;
  readonly role: 'viewer' | 'developer' | 'admin';
  /** `scrypt$…`; null: signs in by OpenID Connect only. */
  readonly password: string | null;
  readonly oidc_issuer: string | null;
  readonly oidc_subject: string | null;
  /** Asked for at each sign-in. */
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
  /** How long it lives without a request. */
  readonly idle_seconds: number;
  readonly expires_at: Date;
  readonly confirmed_until: Date | null;
  /** The password was right; the second factor has not been shown yet. */
  readonly awaits_factor: boolean;
  /** Encrypted: what the session's next code or passkey has to fit. */
  readonly challenge: Buffer | null;
  /** HMAC of `token_hash`, `member_id` and `awaits_factor`. */
  readonly mac: Buffer;
}

/** A second factor of a member, or all recovery codes of one together. */
export interface MemberFactorRow {
  readonly id: number;
  readonly member_id: number;
  readonly kind: 'totp' | 'passkey' | 'recovery';
  readonly name: string;
  /** Encrypted: the secret of TOTP, a passkey's public key, or the hashes of recovery codes. */
  readonly secret: Buffer;
  /** Of the last code (RFC 6238 §4.2) or signature (WebAuthn §6.1.1); an older one is refused. */
  readonly counter: number;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

/** What a link that is used once leads to. */
export interface MemberLinkRow {
  readonly id: number;
  readonly token_hash: Buffer;
  /** The first admin, somebody who was invited, or a new password. */
  readonly kind: 'setup' | 'invitation' | 'password';
  readonly account_id: number;
  readonly member_id: number | null;
  readonly email: string | null;
  readonly role: 'viewer' | 'developer' | 'admin' | null;
  readonly expires_at: Date;
  /** HMAC of all that is above but the ID. */
  readonly mac: Buffer;
}
