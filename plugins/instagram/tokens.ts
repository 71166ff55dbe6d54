import { type AuthContext, type CodeGrant, isObject, PluginError, type RefreshContext, type TokenSet, textAt } from '#contract';

const CODE_URL = 'https://api.instagram.com/oauth/access_token';
const GRAPH_URL = 'https://graph.instagram.com';
/** Error codes for a token that is expired, revoked or invalid, after which the user has to log in again. */
const OVER = ['102', '190'];

type Context = Pick<RefreshContext, 'fetch' | 'now'>;

/** Exchanges the code in two calls: the first returns a token for an hour, the second exchanges it for one for 60 days. */
export async function exchangeCode(ctx: AuthContext, { code, redirectUri }: CodeGrant): Promise<TokenSet> {
  const { clientId: client_id, clientSecret: client_secret } = ctx.client;
  const params = { client_id, client_secret, grant_type: 'authorization_code', redirect_uri: redirectUri, code };
  const response = await ctx.fetch(CODE_URL, { method: 'POST', body: new URLSearchParams(params) });
  const body: unknown = await response.json().catch(() => undefined);
  // The documented response is a list with one token; older apps get the token without a list.
  const token = textAt(body, 'data.0.access_token') ?? textAt(body, 'access_token');
  if (response.ok && token !== undefined)
    return requestToken(ctx, 'access_token', { grant_type: 'ig_exchange_token', client_secret, access_token: token });
  if (response.status === 400) throw new PluginError('invalid_credentials', 'Instagram rejected the authorization');
  throw new PluginError('provider_unavailable', 'Instagram issues no token now');
}

/**
 * Exchanges the token for a new one. Instagram does this only for a token that is at least a day old; a younger one stays in use.
 */
export function renewToken(ctx: RefreshContext): Promise<TokenSet> {
  return requestToken(ctx, 'refresh_access_token', { grant_type: 'ig_refresh_token', access_token: ctx.tokens.accessToken });
}

async function requestToken(ctx: Context, endpoint: string, params: Readonly<Record<string, string>>): Promise<TokenSet> {
  const response = await ctx.fetch(`${GRAPH_URL}/${endpoint}?${new URLSearchParams(params)}`);
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok && isObject(body) && typeof body['access_token'] === 'string') {
    const { access_token: accessToken, expires_in: seconds } = body;
    const expiresAt = typeof seconds === 'number' ? new Date(ctx.now.getTime() + seconds * 1000) : undefined;
    return { accessToken, ...(expiresAt && { expiresAt }), raw: body };
  }
  if (response.status < 500 && OVER.includes(textAt(body, 'error.code') ?? ''))
    throw new PluginError('invalid_credentials', 'Instagram says that this authorization is over');
  throw new PluginError('provider_unavailable', 'Instagram issues no token now');
}
