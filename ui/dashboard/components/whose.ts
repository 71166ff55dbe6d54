/** The known facts about the user of a connection. */
interface Whose {
  readonly connection_id: string;
  readonly display_name?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly end_user_id?: string | null | undefined;
}

/** The account at the provider. */
interface Account {
  readonly id: string;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
}

/** Returns the name of a connection: that of its user, else their e-mail address or ID, else its own ID. The search finds all. */
export function connectionName({ connection_id: id, display_name: name, email, end_user_id: userId }: Whose): string {
  return name || email || userId || id;
}

/** The fields of the public record that say to whom a connection belongs: tags, else `end_user`. */
interface ConnectionOwner {
  readonly connection_id: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly end_user: EndUser | null;
}

interface EndUser {
  readonly id: string;
  readonly display_name: string | null;
  readonly email: string | null;
  readonly organization: { readonly id: string; readonly display_name: string | null } | null;
}

/** Returns what lists show of the user of a connection, from its public record. */
export function ownerOf({ tags, end_user: user }: Pick<ConnectionOwner, 'tags' | 'end_user'>) {
  const { organization } = user ?? {};
  return {
    display_name: tags['end_user_display_name'] || user?.display_name || null,
    email: tags['end_user_email'] || user?.email || null,
    end_user_id: tags['end_user_id'] || user?.id || null,
    organization:
      tags['organization_display_name'] || tags['organization_id'] || organization?.display_name || organization?.id || null,
  };
}

/** Returns the name of a connection as in lists, from its public record. */
export function recordName(record: ConnectionOwner): string {
  return connectionName({ connection_id: record.connection_id, ...ownerOf(record) });
}

export function accountName({ id, name, email }: Account): string {
  return name ?? email ?? id;
}
