import { type ConnectionKey, type HookContext, type Json, type JsonObject, textAt } from '#contract';

/** The maximum number of segments of a path. GitLab nests groups up to 20 levels deep, so a longer path is not from GitLab. */
const MAX_LEVELS = 22;

/**
 * Asks GitLab for the user name and returns the URL of the user's namespace. The URL is built from the host that issued the
 * token, so that an instance cannot claim a namespace on another host.
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
    // Only webhooks need the namespace, so if GitLab cannot be asked, the connection is created without it.
    ctx.log('GitLab could not be asked whose token this is');
  }
  return {};
}

/**
 * Paths of the payload's fields that hold the path of the project or group in events without `project`. `group_path` is not among
 * them because for a subgroup it holds only the last part.
 */
const PATHS = ['path_with_namespace', 'full_path', 'group.full_path'];
/** Paths of the payload's fields that hold the URL of the project, or a URL below it. */
const ADDRESSES = ['repository.homepage', 'object_attributes.url'];
const PROJECT_IDS = ['project.id', 'project_id', 'object_attributes.project_id'];
const GROUP_IDS = ['group_id', 'group.group_id', 'object_attributes.group_id'];

/**
 * Returns keys for the project, for the groups around it, innermost first, and for the user whose namespace contains it. All keys
 * are URLs because numbers and paths are unique only within one instance, and the metadata of a connection may name projects and
 * groups of another instance.
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

/**
 * Finds the URL of the instance and the path of the project or group. Events with `project` contain its URL; for other events a
 * header names the instance.
 */
function placeOf(payload: Json, instance: string): { root: string; path: string } {
  const path = textAt(payload, 'project.path_with_namespace');
  if (path === undefined) return { root: instance, path: firstAt(payload, PATHS) ?? pathWithin(payload, instance) };
  const address = textAt(payload, 'project.web_url') ?? '';
  return { root: address.endsWith(`/${path}`) ? address.slice(0, -path.length - 1) : '', path };
}

/** Returns the path of a project or group from a URL of this instance: the part before `/-/`, which no such path contains. */
function pathWithin(payload: Json, instance: string): string {
  const address = firstAt(payload, ADDRESSES) ?? '';
  if (!address.startsWith(`${instance}/`)) return '';
  return address.slice(instance.length + 1).split('/-/', 1)[0] ?? '';
}

/** Returns the URL that contains the number of a project or group, which stays the same when the project or group is renamed. */
function numbered(payload: Json, places: readonly string[], prefix: string): readonly string[] {
  const id = firstAt(payload, places);
  return id === undefined ? [] : [prefix + id];
}

function firstAt(payload: Json, places: readonly string[]): string | undefined {
  return places.map((place) => textAt(payload, place)).find((text) => text !== undefined && text !== '');
}
