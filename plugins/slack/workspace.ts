import { type ConnectionKey, type HookContext, type Json, type JsonObject, textAt, valueAt } from '#contract';

/** Whose an event is: the installation that may see it, then the workspace it happened in (docs: "The Events API"). */
const TEAMS = ['authorizations.0.team_id', 'team_id', 'team.id'];
/** Where an organisation's ID counts: only for installations in a whole organisation. */
const ORGANIZATIONS = [
  { isWhole: 'authorizations.0.is_enterprise_install', id: 'authorizations.0.enterprise_id' },
  { isWhole: 'is_enterprise_install', id: 'enterprise_id' },
  { isWhole: 'is_enterprise_install', id: 'enterprise.id' },
];

/**
 * An app that is installed in a whole organisation has no workspace. `enterprise.id` alone does not say so: installations in
 * one workspace of an organisation have it, too, and would get the events of all others.
 */
export async function findInstallation({ tokens }: HookContext): Promise<JsonObject> {
  const organization = valueAt(tokens.raw, 'enterprise.id');
  const isWhole = isTrueAt(tokens.raw, 'is_enterprise_install');
  return isWhole && typeof organization === 'string' ? { organization_id: organization } : {};
}

export function connectionsOf(payload: Json): ConnectionKey[] {
  const teams = TEAMS.flatMap((path) => textAt(payload, path) ?? []);
  const organizations = ORGANIZATIONS.flatMap(({ isWhole, id }) =>
    isTrueAt(payload, isWhole) ? (textAt(payload, id) ?? []) : [],
  );
  return [
    ...teams.map((value): ConnectionKey => ({ by: 'connectionConfig', field: 'team.id', value })),
    ...organizations.map((value): ConnectionKey => ({ by: 'connectionConfig', field: 'organization_id', value })),
  ];
}

/** The event's own type rather than that of its envelope; a slash command has a name instead. */
export function typeOf(payload: Json): string | undefined {
  return textAt(payload, 'event.type') ?? textAt(payload, 'type') ?? textAt(payload, 'command');
}

/** A form has only texts. */
function isTrueAt(payload: unknown, path: string): boolean {
  const found = valueAt(payload, path);
  return found === true || found === 'true';
}
