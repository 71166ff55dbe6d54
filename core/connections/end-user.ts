import type { EndUser, Tags } from './connection.ts';
import { readTags, type TagSource } from './tags.ts';

export type { EndUser } from './connection.ts';

/** An end user as sent in a request. */
interface EndUserInput {
  readonly id: string;
  readonly email?: string | undefined;
  readonly display_name?: string | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
}

interface OrganizationInput {
  readonly id: string;
  readonly display_name?: string | undefined;
}

export function readEndUser(input: EndUserInput, organization?: OrganizationInput): EndUser {
  return {
    id: input.id,
    email: input.email ?? null,
    display_name: input.display_name ?? null,
    tags: { ...input.tags },
    organization: organization === undefined ? null : { id: organization.id, display_name: organization.display_name ?? null },
  };
}

/**
 * Returns the tags that correspond to an end user's fields. The field `tags` of an end user does not become tags of the
 * connection.
 */
export function tagsOfEndUser({ id, email, display_name: displayName, organization }: EndUser): Tags {
  const own = nonEmpty({ end_user_id: id, end_user_email: email, end_user_display_name: displayName });
  return { ...own, ...(organization !== null && tagsOfOrganization(organization)) };
}

export function tagsOfOrganization({ id, display_name: displayName }: NonNullable<EndUser['organization']>): Tags {
  return nonEmpty({ organization_id: id, organization_display_name: displayName });
}

/** Drops empty values, since the value of a tag cannot be empty. */
function nonEmpty(tags: Readonly<Record<string, string | null>>): Tags {
  return Object.fromEntries(Object.entries(tags).flatMap(([key, value]) => (value ? [[key, value]] : [])));
}

/** The members of a stored `end_user` that are shown; nothing has checked their types. */
type StoredEndUser = { readonly [member in 'id' | 'display_name' | 'email' | 'organization']?: unknown };

/**
 * Returns what to show of the user of a connection, from the tags or else from `end_user` as it is stored; null when unknown. An
 * organization is shown by its name or else its ID.
 */
export function shownUser(tags: Tags, endUser: StoredEndUser | null) {
  const organization = (endUser?.organization ?? {}) as { readonly id?: unknown; readonly display_name?: unknown };
  return {
    displayName: tags['end_user_display_name'] ?? textOf(endUser?.display_name),
    email: tags['end_user_email'] ?? textOf(endUser?.email),
    endUserId: tags['end_user_id'] ?? textOf(endUser?.id),
    organization:
      tags['organization_display_name'] ??
      tags['organization_id'] ??
      textOf(organization.display_name) ??
      textOf(organization.id),
  };
}

/** Returns the name of a connection by its user; null when it has no name but its ID. */
export function userName({ displayName, email, endUserId }: ReturnType<typeof shownUser>): string | null {
  return displayName ?? email ?? endUserId;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/**
 * Returns the tags that correspond to an end user's fields, overridden by the explicit tags.
 *
 * @throws ServiceError with the code of `source` when there are too many tags in all
 */
export function withEndUserTags(endUser: EndUser, explicit: Tags, source: TagSource): Tags {
  return readTags({ ...tagsOfEndUser(endUser), ...explicit }, source);
}
