/** The account at the provider that credentials belong to. */
export interface ProviderAccount {
  /** An ID of at most 255 characters that stays the same when the account is renamed, and that no other account ever has. */
  readonly id: string;
  readonly name?: string;
  readonly email?: string;
  /** An https URL. */
  readonly picture?: string;
}
