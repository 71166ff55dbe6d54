import { type ConnectionKey, type HookContext, type Json, type JsonObject, textAt, valueAt } from '#contract';

interface Place {
  readonly team: string;
  readonly organization?: string;
  /** The member that says whether the app is installed in the whole organization. */
  readonly isWhole?: string;
}

/**
 * Members of a payload that say which installation may see it (docs: "The Events API", "Slack Connect"), the most reliable first.
 * In a shared channel the last ones name the workspace of the acting user, which may be another one.
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
 * Returns the organization of an app that is installed in all of it and so has no workspace. `enterprise.id` alone is not enough:
 * installations in one workspace of an organization have it, too, and would get the events of all other workspaces.
 */
export async function findInstallation({ tokens }: HookContext): Promise<JsonObject> {
  const organization = valueAt(tokens.raw, 'enterprise.id');
  const isWhole = isTrueAt(tokens.raw, 'is_enterprise_install');
  return isWhole && typeof organization === 'string' ? { organization_id: organization } : {};
}

/** Returns the installation at the first place that names one, because later places may name one that must not see the event. */
export function connectionsOf(payload: Json): ConnectionKey[] {
  const [id] = PLACES.flatMap((place) => installationAt(payload, place) ?? []);
  if (id === undefined) return [];
  return [{ by: 'connectionConfig', field: id.startsWith('E') ? 'organization_id' : 'team.id', value: id }];
}

/**
 * Returns the organization if all of it has the app or if no workspace is named. Otherwise returns the workspace, whose payloads
 * name its organization, too.
 */
function installationAt(payload: Json, { team, organization = '', isWhole = '' }: Place): string | undefined {
  const [workspace, whole] = [textAt(payload, team), textAt(payload, organization)];
  return isTrueAt(payload, isWhole) ? (whole ?? workspace) : (workspace ?? whole);
}

/** Returns the event's own type rather than that of its envelope, or the name of a slash command. */
export function typeOf(payload: Json): string | undefined {
  return textAt(payload, 'event.type') ?? textAt(payload, 'type') ?? textAt(payload, 'command');
}

/** Accepts the text `true`, too, because a form has only texts. */
function isTrueAt(payload: unknown, path: string): boolean {
  const found = valueAt(payload, path);
  return found === true || found === 'true';
}
