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

/**
 * The project, the groups around it from the inside out, the user it belongs to. All by address: numbers and paths are unique
 * in one instance only, and metadata of a connection may name those of another.
 */
export function connectionsOf(payload: Json, instance: string | undefined): ConnectionKey[] {
  const { root, path } = placeOf(payload, instance);
  const parts = path.split('/');
  if (root === '' || path === '' || parts.length > MAX_LEVELS) return [];
  const addresses = parts.map((_, index) => `${root}/${parts.slice(0, parts.length - index).join('/')}`);
  return [
    ...addresses.map((value): ConnectionKey => ({ by: 'metadataContains', field: 'gitlab_urls', value })),
    { by: 'connectionConfig', field: 'namespace_url', value: `${root}/${parts[0]}` },
  ];
}

/** Events of projects carry the project's address; events of groups only a path, and the instance is in a header. */
function placeOf(payload: Json, instance = ''): { root: string; path: string } {
  const path = textAt(payload, 'project.path_with_namespace');
  if (path === undefined) {
    return { root: instance.replace(/\/$/, ''), path: textAt(payload, 'full_path') ?? textAt(payload, 'group_path') ?? '' };
  }
  const address = textAt(payload, 'project.web_url') ?? '';
  return { root: address.endsWith(`/${path}`) ? address.slice(0, -path.length - 1) : '', path };
}
