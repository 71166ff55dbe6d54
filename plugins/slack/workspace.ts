import { type ConnectionKey, type HookContext, type Json, type JsonObject, textAt, valueAt } from '#contract';

interface Place {
  readonly team: string;
  readonly organization?: string;
  /** Whether the app is installed in the whole organization. */
  readonly isWhole?: string;
}

/**
 * Where payloads say which installation may see them (docs: "The Events API", "Slack Connect"), what says it best first. In a
 * shared channel the ones further down are those of whoever acted, who may be of another workspace.
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
 * An app that is installed in a whole organisation has no workspace. `enterprise.id` alone does not say so: installations in
 * one workspace of an organisation have it, too, and would get the events of all others.
 */
export async function findInstallation({ tokens }: HookContext): Promise<JsonObject> {
  const organization = valueAt(tokens.raw, 'enterprise.id');
  const isWhole = isTrueAt(tokens.raw, 'is_enterprise_install');
  return isWhole && typeof organization === 'string' ? { organization_id: organization } : {};
}

/** The first place that names an installation decides: the others may name one that must not see the event. */
export function connectionsOf(payload: Json): ConnectionKey[] {
  const [id] = PLACES.flatMap((place) => installationAt(payload, place) ?? []);
  if (id === undefined) return [];
  return [{ by: 'connectionConfig', field: id.startsWith('E') ? 'organization_id' : 'team.id', value: id }];
}

/** An organization counts where all of it has the app, or where no workspace is named: of each of them it is named, too. */
function installationAt(payload: Json, { team, organization = '', isWhole = '' }: Place): string | undefined {
  const [workspace, whole] = [textAt(payload, team), textAt(payload, organization)];
  return isTrueAt(payload, isWhole) ? (whole ?? workspace) : (workspace ?? whole);
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
