import { type AuthContext, type HookContext, isObject, PluginError, type TokenSet, textAt } from '#contract';

const WITH_SECOND_FACTOR = 'With two-factor authentication, create an app password in your security settings.';

type Login = Readonly<Record<string, string>>;

/**
 * Uses the account's password once to create an app password for the connection, which the user can revoke without any effect on
 * other apps.
 */
export async function createAppPassword(ctx: AuthContext, login: Login): Promise<TokenSet> {
  const response = await callServer(ctx, '/ocs/v2.php/core/getapppassword?format=json', { login });
  if (response.status === 401)
    throw new PluginError('invalid_credentials', `Nextcloud rejects this user name and password. ${WITH_SECOND_FACTOR}`);
  // Either the password already is an app password, or the server creates none; in both cases the connection uses the password
  // itself.
  if (response.status === 403) return { accessToken: login['password'] ?? '', raw: {} };
  const raw: unknown = await response.json().catch(() => undefined);
  const accessToken = textAt(raw, 'ocs.data.apppassword');
  if (!response.ok || !isObject(raw) || accessToken === undefined)
    throw new PluginError('provider_unavailable', 'This server creates no app password.');
  return { accessToken, raw };
}

export async function deleteAppPassword(ctx: HookContext): Promise<void> {
  const { status } = await callServer(ctx, '/ocs/v2.php/core/apppassword', { method: 'DELETE', login: ctx.tokens.raw });
  if (status >= 500) throw new PluginError('provider_unavailable', 'Nextcloud does not respond');
}

function callServer(
  { fetch: send, connection }: Pick<HookContext, 'fetch'> & { readonly connection: AuthContext['connection'] },
  path: string,
  { method = 'GET', login }: { readonly method?: string; readonly login: unknown },
): Promise<Response> {
  const pair = `${textAt(login, 'username') ?? ''}:${textAt(login, 'password') ?? ''}`;
  const authorization = `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`;
  return send(`https://${textAt(connection.connectionConfig, 'hostname')}${path}`, {
    method,
    headers: { authorization, 'ocs-apirequest': 'true' },
  });
}
