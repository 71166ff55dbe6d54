import type { EndUser, Tags } from './connection.ts';
import { readTags, type TagSource } from './tags.ts';

export type { EndUser } from './connection.ts';

/** An end user as in a request. */
export interface EndUserInput {
  readonly id: string;
  readonly email?: string | undefined;
  readonly display_name?: string | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
}

export interface OrganizationInput {
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

/** The tags that correspond to an end user's fields; the end user's own `tags` are not the connection's. */
export function tagsOfEndUser({ id, email, display_name: displayName, organization }: EndUser): Tags {
  const own = nonEmpty({ end_user_id: id, end_user_email: email, end_user_display_name: displayName });
  return { ...own, ...(organization !== null && tagsOfOrganization(organization)) };
}

export function tagsOfOrganization({ id, display_name: displayName }: NonNullable<EndUser['organization']>): Tags {
  return nonEmpty({ organization_id: id, organization_display_name: displayName });
}

/** A tag has no empty value. */
function nonEmpty(tags: Readonly<Record<string, string | null>>): Tags {
  return Object.fromEntries(Object.entries(tags).flatMap(([key, value]) => (value ? [[key, value]] : [])));
}

/** What people call the user of a connection: by tag, else by `end_user`, as it is stored. Null: not known. */
export function shownUser(tags: Tags, endUser: { readonly display_name?: unknown; readonly email?: unknown } | null) {
  return {
    displayName: tags['end_user_display_name'] ?? textOf(endUser?.display_name),
    email: tags['end_user_email'] ?? textOf(endUser?.email),
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The end user's tags, overridden by the explicit ones. @throws ServiceError when there are too many together */
export function withEndUserTags(endUser: EndUser, explicit: Tags, source: TagSource): Tags {
  return readTags({ ...tagsOfEndUser(endUser), ...explicit }, source);
}
