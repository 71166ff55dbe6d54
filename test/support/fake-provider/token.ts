import { placedMembers, standardParams } from '../../../core/cli/rehearsal/dialect.ts';
import type { ScriptedResponse } from '../scripted-server/behaviour.ts';
import type { Exchange } from '../scripted-server/scripted-server.ts';
import { jsonResponse } from './echo.ts';
import type { TokenPair } from './grants.ts';
import type { Provider } from './provider.ts';
import { bodyFormat, readClient, readParams } from './read-params.ts';

type Params = Readonly<Record<string, string>>;

/** Serves the token endpoint (RFC 6749 §4.1.3, §6); `members` and `write` of the behaviour change a successful response. */
export function token(provider: Provider, exchange: Exchange): ScriptedResponse {
  const { request, entry, behaviour } = exchange;
  const { bodyFormat: format, clientAuth, dialect } = provider.settings;
  const { token_request_method: method = 'POST', token_param_names: names, omit_params } = dialect;
  if (request.method !== method) return jsonResponse(405, { error: 'invalid_request' });
  const params = standardParams(method === 'GET' ? entry.params : readParams(entry), names, omit_params?.token);
  if (params === undefined) return jsonResponse(400, { error: 'invalid_request' });
  entry.params = params;

  const client = readClient(request.headers.authorization, params);
  if (method === 'POST' && format !== 'any' && bodyFormat(request.headers['content-type']) !== format)
    return jsonResponse(400, { error: 'invalid_request' });
  if (clientAuth !== 'any' && client.by !== clientAuth) return jsonResponse(401, { error: 'invalid_client' });
  const isPublic = omit_params?.token?.includes('client_secret') === true;
  const secrets = provider.clients.get(client.id ?? '');
  if (secrets === undefined || !(isPublic || secrets.has(client.secret ?? '')))
    return jsonResponse(401, { error: 'invalid_client' });

  const grant = GRANT_TYPES.get(grantType(provider, params));
  if (grant === undefined) return jsonResponse(400, { error: 'unsupported_grant_type' });
  // RFC 6749 §5.2: a grant that was issued to another client is invalid.
  const isForeign = !provider.grants.isIssuedTo(params['code'] ?? params['refresh_token'] ?? '', client.id ?? '');
  const pair = isForeign ? undefined : grant(provider, params);
  if (pair === undefined) return jsonResponse(400, { error: 'invalid_grant' });
  const members = { ...tokenMembers(pair, provider.settings.accessTokenTtlSeconds), ...behaviour.members };
  return behaviour.write?.(members) ?? jsonResponse(200, placedMembers(members, dialect));
}

const GRANT_TYPES: ReadonlyMap<string, (provider: Provider, params: Params) => TokenPair | undefined> = new Map([
  [
    'authorization_code',
    (provider: Provider, params: Params) =>
      provider.grants.redeem(params['code'] ?? '', redirectUri(provider, params), params['code_verifier']),
  ],
  ['client_credentials', (provider: Provider, params: Params) => provider.grants.issueToApp(params['scope'] ?? '')],
  ['refresh_token', (provider: Provider, params: Params) => provider.grants.refresh(params['refresh_token'] ?? '')],
]);

/** Returns the grant type. If the provider's requests have no `grant_type`, it follows from the other parameters. */
function grantType({ settings }: Provider, params: Params): string {
  if (settings.dialect.omit_params?.token?.includes('grant_type') !== true) return params['grant_type'] ?? '';
  return params['code'] === undefined ? 'refresh_token' : 'authorization_code';
}

/** Returns the redirect URI. If the provider's token requests have none, it is the one for which the code was issued. */
function redirectUri({ settings, grants }: Provider, params: Params): string | undefined {
  const isOmitted = settings.dialect.omit_params?.token?.includes('redirect_uri') === true;
  return isOmitted ? grants.redirectUriOf(params['code'] ?? '') : params['redirect_uri'];
}

function tokenMembers(pair: TokenPair, ttlSeconds: number): Record<string, unknown> {
  return {
    access_token: pair.accessToken,
    token_type: 'Bearer',
    expires_in: ttlSeconds,
    refresh_token: pair.refreshToken === '' ? undefined : pair.refreshToken,
    scope: pair.scope,
  };
}
