/** The known facts about the user of a connection. */
interface Whose {
  readonly connection_id: string;
  readonly display_name?: string | null | undefined;
  readonly email?: string | null | undefined;
}

/** The account at the provider. */
interface Account {
  readonly id: string;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
}

/** Returns the name of a connection: its user, else its ID. The search finds both. */
export function connectionName({ connection_id: id, display_name: name, email }: Whose): string {
  return name || email || id;
}

/** The fields of the public record that say to whom a connection belongs: tags, else `end_user`. */
interface ConnectionOwner {
  readonly connection_id: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly end_user: { readonly display_name: string | null; readonly email: string | null } | null;
}

export function emailOf({ tags, end_user: user }: Pick<ConnectionOwner, 'tags' | 'end_user'>): string | undefined {
  return tags['end_user_email'] || user?.email || undefined;
}

/** Returns the name of a connection as in lists, from its public record. */
export function recordName(record: ConnectionOwner): string {
  const { connection_id, tags, end_user: user } = record;
  const name = tags['end_user_display_name'] || user?.display_name;
  return connectionName({ connection_id, display_name: name, email: emailOf(record) });
}

export function accountName({ id, name, email }: Account): string {
  return name ?? email ?? id;
}
