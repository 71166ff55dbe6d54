import { type ConnectionKey, type HookContext, type Json, type JsonObject, textAt } from '#contract';

/** GitLab nests groups 20 levels deep; a path with more is none of its. */
const MAX_LEVELS = 22;

/**
 * Asks for the user's name. The address is put together here, of the host that gave the token: an instance has no say in which
 * host's namespaces are its users'.
 */
export async function findUser(ctx: HookContext): Promise<JsonObject> {
  const host = textAt(ctx.integrationConfig, 'hostname');
  if (host === undefined) return {};
  try {
    const response = await ctx.fetch(`https://${host}/api/v4/user`, {
      headers: { authorization: `Bearer ${ctx.tokens.accessToken}` },
    });
    const username = response.ok ? textAt(await response.json(), 'username') : undefined;
    if (username !== undefined) return { namespace_url: `https://${host.toLowerCase()}/${username}` };
    ctx.log('GitLab does not say whose token this is', { status: response.status });
  } catch {
    // Without webhooks the connection is whole.
    ctx.log('GitLab could not be asked whose token this is');
  }
  return {};
}

/** Without `project`, the path of the project or the group. Not `group_path`: it is the last part alone of a subgroup's path. */
const PATHS = ['path_with_namespace', 'full_path', 'group.full_path'];
/** An address of the project, or within it. */
const ADDRESSES = ['repository.homepage', 'object_attributes.url'];
const PROJECT_IDS = ['project.id', 'project_id', 'object_attributes.project_id'];
const GROUP_IDS = ['group_id', 'group.group_id', 'object_attributes.group_id'];

/**
 * The project, the groups around it from the inside out, the user it belongs to. All by address: numbers and paths are unique
 * in one instance only, and metadata of a connection may name those of another.
 */
export function connectionsOf(payload: Json, instance: string | undefined): ConnectionKey[] {
  const { root, path } = placeOf(payload, instance?.replace(/\/$/, '') ?? '');
  if (root === '') return [];
  const parts = path === '' ? [] : path.split('/');
  if (parts.length > MAX_LEVELS) return [];
  const addresses = [
    ...numbered(payload, PROJECT_IDS, `${root}/-/p/`),
    ...numbered(payload, GROUP_IDS, `${root}/-/g/`),
    ...parts.map((_, index) => `${root}/${parts.slice(0, parts.length - index).join('/')}`),
  ];
  return [
    ...addresses.map((value): ConnectionKey => ({ by: 'metadataContains', field: 'gitlab_urls', value })),
    ...parts
      .slice(0, 1)
      .map((value): ConnectionKey => ({ by: 'connectionConfig', field: 'namespace_url', value: `${root}/${value}` })),
  ];
}

/** Events with a project carry its address; of others the instance is in a header. */
function placeOf(payload: Json, instance: string): { root: string; path: string } {
  const path = textAt(payload, 'project.path_with_namespace');
  if (path === undefined) return { root: instance, path: firstAt(payload, PATHS) ?? pathWithin(payload, instance) };
  const address = textAt(payload, 'project.web_url') ?? '';
  return { root: address.endsWith(`/${path}`) ? address.slice(0, -path.length - 1) : '', path };
}

/** Of an address of this instance: what comes before `/-/`, which no path holds. */
function pathWithin(payload: Json, instance: string): string {
  const address = firstAt(payload, ADDRESSES) ?? '';
  if (!address.startsWith(`${instance}/`)) return '';
  return address.slice(instance.length + 1).split('/-/', 1)[0] ?? '';
}

/** The address that stays when a project or a group is renamed. */
function numbered(payload: Json, places: readonly string[], prefix: string): readonly string[] {
  const id = firstAt(payload, places);
  return id === undefined ? [] : [prefix + id];
}

function firstAt(payload: Json, places: readonly string[]): string | undefined {
  return places.map((place) => textAt(payload, place)).find((text) => text !== undefined && text !== '');
}
