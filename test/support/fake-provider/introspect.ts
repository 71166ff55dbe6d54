import type { ScriptedResponse } from '../scripted-server/behaviour.ts';
import type { Exchange } from '../scripted-server/scripted-server.ts';
import { jsonResponse } from './echo.ts';
import type { Provider } from './provider.ts';
import { readClient, readParams } from './read-params.ts';

/** Serves the introspection endpoint (RFC 7662). `members` of the behaviour change the response about a valid access token. */
export function introspect(provider: Provider, { request, entry, behaviour }: Exchange): ScriptedResponse {
  const params = readParams(entry);
  entry.params = params;
  const { id = '', secret = '' } = readClient(request.headers.authorization, params);
  if (!provider.clients.get(id)?.has(secret)) return jsonResponse(401, { error: 'invalid_client' });
  const token = params['token'] ?? '';
  const expiresAt = provider.grants.isLive(token) ? provider.grants.expiryOf(token) : undefined;
  if (expiresAt === undefined) return jsonResponse(200, { active: false });
  return jsonResponse(200, { active: true, exp: Math.floor(expiresAt.getTime() / 1000), ...behaviour.members });
}
