/** Whose account at the provider the credentials are for. */
export interface ProviderAccount {
  /** At most 255 characters; stays the same when the account is renamed, and no other account ever has it. */
  readonly id: string;
  readonly name?: string;
  readonly email?: string;
  /** An https URL. */
  readonly picture?: string;
}
