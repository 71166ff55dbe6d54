import {
  type ConnectionKey,
  type HookContext,
  type IncomingWebhook,
  type Json,
  type JsonObject,
  PluginError,
  textAt,
} from '#contract';
import { settingsOf } from './settings.ts';

/**
 * Objects in a payload that may have a `self` link to the site, in the order in which they are read. Source: interface document,
 * "issue-tracker provider" 1.
 */
const LINKED = [
  'issue',
  'comment',
  'sprint',
  'board',
  'worklog',
  'version',
  'issueLink',
  'project',
  'attachment',
  'issuetype',
  'filter',
  'user',
] as const;

interface Site {
  readonly origin: string;
  readonly id: string | undefined;
}

/**
 * Asks the provider to which sites the user gave the app access, and chooses one: the site that the connection names (`site`: URL
 * or ID), otherwise the site that the connection had before, otherwise the first.
 *
 * @returns `baseUrl`, by which webhooks are matched, and the site's ID as `cloudId`
 */
export async function discoverSite(ctx: HookContext): Promise<JsonObject> {
  const { sitesUrl } = settingsOf(ctx.integrationConfig);
  // Without `sites_url`, the definition of the provider says which site a connection belongs to.
  if (sitesUrl === undefined) return {};
  const sites = await fetchSites(ctx, sitesUrl);
  const site = chooseSite(sites, ctx.connection.connectionConfig);
  return { baseUrl: site.origin, ...(site.id !== undefined && { cloudId: site.id }) };
}

async function fetchSites(ctx: HookContext, sitesUrl: string): Promise<readonly Site[]> {
  const response = await ctx.fetch(sitesUrl, {
    headers: { authorization: `Bearer ${ctx.tokens.accessToken}`, accept: 'application/json' },
  });
  if (response.status === 401 || response.status === 403)
    throw new PluginError('invalid_credentials', 'the provider does not show which sites the user may use');
  const listed = response.ok ? await response.json().catch(() => undefined) : undefined;
  if (!Array.isArray(listed))
    throw new PluginError('provider_unavailable', 'the provider does not tell which sites the user may use');
  return listed.flatMap(siteOf);
}

function chooseSite(sites: readonly Site[], { site: named, baseUrl, cloudId }: JsonObject): Site {
  const has = (value: Json | undefined) => sites.find((site) => typeof value === 'string' && isSite(site, value));
  if (typeof named === 'string' && named !== '') {
    const found = has(named);
    if (found !== undefined) return found;
    throw new PluginError('invalid_connection_config', 'the user has no access to the site that the connection names');
  }
  const [first] = sites;
  if (first === undefined) throw new PluginError('invalid_connection_config', 'the user has no site at this provider');
  return has(cloudId) ?? has(baseUrl) ?? first;
}

function isSite({ origin, id }: Site, named: string): boolean {
  return named === id || originOf(named) === origin;
}

function siteOf(listed: Json): Site[] {
  const origin = originOf(textAt(listed, 'url'));
  return origin === undefined ? [] : [{ origin, id: textAt(listed, 'id') }];
}

/** Returns a key for the site of the first `self` link. A delivery without such a link matches no connection. */
export function connectionsOf({ payload }: IncomingWebhook): readonly ConnectionKey[] {
  for (const member of LINKED) {
    const origin = originOf(textAt(payload, `${member}.self`));
    if (origin !== undefined) return [{ by: 'connectionConfig', field: 'baseUrl', value: origin, as: 'origin' }];
  }
  return [];
}

function originOf(address: string | undefined): string | undefined {
  const url = address === undefined ? null : URL.parse(address);
  return url !== null && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}
