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
}

/** What a link that is used once leads to. */
export interface MemberLinkRow {
  readonly token_hash: Buffer;
  /** The first admin, somebody who was invited, or a new password. */
  readonly kind: 'setup' | 'invitation' | 'password';
  readonly account_id: number;
  readonly member_id: number | null;
  readonly email: string | null;
  readonly role: 'viewer' | 'developer' | 'admin' | null;
  readonly expires_at: Date;
}

/** Attempts to sign in, by a hash of who tries what. */
export interface SignInAttemptRow {
  readonly key_hash: Buffer;
  readonly count: number;
  readonly window_ends_at: Date;
}
