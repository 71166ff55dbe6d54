import type { ScriptedResponse } from '../scripted-server/behaviour.ts';
import type { Exchange } from '../scripted-server/scripted-server.ts';
import { jsonResponse } from './echo.ts';
import type { TokenPair } from './grants.ts';
import type { Provider } from './provider.ts';
import { bodyFormat, readClient, readParams } from './read-params.ts';

type Params = Readonly<Record<string, string>>;

/** The token endpoint (RFC 6749 §4.1.3, §6); `members` and `write` of the behaviour change its success. */
export function token(provider: Provider, exchange: Exchange): ScriptedResponse {
  const { request, entry, behaviour } = exchange;
  const params = readParams(entry);
  entry.params = params;

  const { bodyFormat: format, clientAuth } = provider.settings;
  const client = readClient(request.headers.authorization, params);
  if (request.method !== 'POST') return jsonResponse(405, { error: 'invalid_request' });
  if (format !== 'any' && bodyFormat(request.headers['content-type']) !== format)
    return jsonResponse(400, { error: 'invalid_request' });
  if (clientAuth !== 'any' && client.by !== clientAuth) return jsonResponse(401, { error: 'invalid_client' });
  if (!provider.clients.get(client.id ?? '')?.has(client.secret ?? '')) return jsonResponse(401, { error: 'invalid_client' });

  const grant = GRANT_TYPES.get(params['grant_type'] ?? '');
  if (grant === undefined) return jsonResponse(400, { error: 'unsupported_grant_type' });
  // RFC 6749 §5.2: issued to another client.
  const isForeign = !provider.grants.isIssuedTo(params['code'] ?? params['refresh_token'] ?? '', client.id ?? '');
  const pair = isForeign ? undefined : grant(provider, params);
  if (pair === undefined) return jsonResponse(400, { error: 'invalid_grant' });
  const members = { ...tokenMembers(pair, provider.settings.accessTokenTtlSeconds), ...behaviour.members };
  return behaviour.write?.(members) ?? jsonResponse(200, members);
}

const GRANT_TYPES: ReadonlyMap<string, (provider: Provider, params: Params) => TokenPair | undefined> = new Map([
  [
    'authorization_code',
    (provider: Provider, params: Params) =>
      provider.grants.redeem(params['code'] ?? '', params['redirect_uri'], params['code_verifier']),
  ],
  ['refresh_token', (provider: Provider, params: Params) => provider.grants.refresh(params['refresh_token'] ?? '')],
]);

function tokenMembers(pair: TokenPair, ttlSeconds: number): Record<string, unknown> {
  return {
    access_token: pair.accessToken,
    token_type: 'Bearer',
    expires_in: ttlSeconds,
    refresh_token: pair.refreshToken,
    scope: pair.scope,
  };
}
