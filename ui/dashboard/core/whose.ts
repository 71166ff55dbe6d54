/** What is known of the user of a connection. */
interface Whose {
  readonly connection_id: string;
  readonly display_name?: string | null | undefined;
  readonly email?: string | null | undefined;
}

/** At the provider. */
interface Account {
  readonly id: string;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
}

/** What people call a connection: its user, else its ID. The search finds it by that; the account at the provider is encrypted. */
export function connectionName({ connection_id: id, display_name: name, email }: Whose): string {
  return name || email || id;
}

export function accountName({ id, name, email }: Account): string {
  return name ?? email ?? id;
}
