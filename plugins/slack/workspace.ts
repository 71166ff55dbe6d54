import { type ConnectionKey, type HookContext, type Json, type JsonObject, textAt, valueAt } from '#contract';

interface Place {
  readonly team: string;
  readonly organization?: string;
  /** The path of the field that says whether the app is installed in the whole organization. */
  readonly isWhole?: string;
}

/**
 * Where a payload says which installation may see it (docs: "The Events API", "Slack Connect"), the most reliable place first. In
 * a shared channel the last places name the workspace of the acting user, which may not be the one in which the app is installed.
 */
const PLACES: readonly Place[] = [
  {
    team: 'authorizations.0.team_id',
    organization: 'authorizations.0.enterprise_id',
    isWhole: 'authorizations.0.is_enterprise_install',
  },
  { team: 'view.app_installed_team_id' },
  { team: 'context_team_id', organization: 'context_enterprise_id' },
  { team: 'team_id', organization: 'enterprise_id', isWhole: 'is_enterprise_install' },
  { team: 'team.id', organization: 'enterprise.id', isWhole: 'is_enterprise_install' },
];

/**
 * Returns the organization's ID if the app is installed in the whole organization, so that the installation has no workspace.
 * `enterprise.id` alone is not enough: installations in one workspace of an organization have it, too, and would get the events
 * of all its other workspaces.
 */
export async function findInstallation({ tokens }: HookContext): Promise<JsonObject> {
  const organization = valueAt(tokens.raw, 'enterprise.id');
  const isWhole = isTrueAt(tokens.raw, 'is_enterprise_install');
  return isWhole && typeof organization === 'string' ? { organization_id: organization } : {};
}

/**
 * Returns a key for the installation that the first usable place names, because later places may name an installation that must
 * not see the event.
 */
export function connectionsOf(payload: Json): ConnectionKey[] {
  const [id] = PLACES.flatMap((place) => installationAt(payload, place) ?? []);
  if (id === undefined) return [];
  return [{ by: 'connectionConfig', field: id.startsWith('E') ? 'organization_id' : 'team.id', value: id }];
}

/**
 * Returns the organization's ID if the app is installed in the whole organization or if no workspace is named, otherwise the
 * workspace's ID. Payloads for a single workspace name its organization, too.
 */
function installationAt(payload: Json, { team, organization = '', isWhole = '' }: Place): string | undefined {
  const [workspace, whole] = [textAt(payload, team), textAt(payload, organization)];
  return isTrueAt(payload, isWhole) ? (whole ?? workspace) : (workspace ?? whole);
}

/** Returns the type of the event itself rather than that of its envelope, or the name of a slash command. */
export function typeOf(payload: Json): string | undefined {
  return textAt(payload, 'event.type') ?? textAt(payload, 'type') ?? textAt(payload, 'command');
}

/** Accepts the text `true`, too, because all fields of a form are texts. */
function isTrueAt(payload: unknown, path: string): boolean {
  const found = valueAt(payload, path);
  return found === true || found === 'true';
}
