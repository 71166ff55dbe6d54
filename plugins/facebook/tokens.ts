import { type AuthContext, type CodeGrant, isObject, PluginError, type RefreshContext, type TokenSet, textAt } from '#contract';

const TOKEN_URL = 'https://graph.facebook.com/oauth/access_token';
/** Error codes for a token that is expired, revoked or invalid, after which the user has to log in again. */
const OVER = ['102', '190'];
/** The error code for "Invalid parameter", such as an authorization code that was used before. */
const INVALID_CODE = '100';

type Context = Pick<RefreshContext, 'client' | 'fetch' | 'now'>;

/**
 * Exchanges the code in two calls: the first returns a token for a few hours, the second exchanges it for one for about 60 days.
 */
export async function exchangeCode(ctx: AuthContext, { code, redirectUri }: CodeGrant): Promise<TokenSet> {
  const { accessToken } = await requestToken(ctx, { redirect_uri: redirectUri, code }, [...OVER, INVALID_CODE]);
  return longLivedToken(ctx, accessToken);
}

export function renewToken(ctx: RefreshContext): Promise<TokenSet> {
  return longLivedToken(ctx, ctx.tokens.accessToken);
}

function longLivedToken(ctx: Context, token: string): Promise<TokenSet> {
  return requestToken(ctx, { grant_type: 'fb_exchange_token', fb_exchange_token: token }, OVER);
}

/**
 * @param refusals the error codes that mean that the grant is refused; rate limits and faults in the app's settings have other
 *   codes
 */
async function requestToken(
  ctx: Context,
  params: Readonly<Record<string, string>>,
  refusals: readonly string[],
): Promise<TokenSet> {
  const { clientId: client_id, clientSecret: client_secret } = ctx.client;
  const query = new URLSearchParams({ client_id, client_secret, ...params });
  const response = await ctx.fetch(`${TOKEN_URL}?${query}`);
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok && isObject(body) && typeof body['access_token'] === 'string') {
    const { access_token: accessToken, expires_in: seconds } = body;
    const expiresAt = typeof seconds === 'number' ? new Date(ctx.now.getTime() + seconds * 1000) : undefined;
    return { accessToken, ...(expiresAt && { expiresAt }), raw: body };
  }
  if (response.status < 500 && refusals.includes(textAt(body, 'error.code') ?? ''))
    throw new PluginError('invalid_credentials', 'Facebook says that this authorization is over');
  throw new PluginError('provider_unavailable', 'Facebook issues no token now');
}
