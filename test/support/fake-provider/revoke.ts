import type { ScriptedResponse } from '../scripted-server/behaviour.ts';
import type { Exchange } from '../scripted-server/scripted-server.ts';
import { jsonResponse } from './echo.ts';
import type { Provider } from './provider.ts';
import { readClient, readParams } from './read-params.ts';

/** Serves the revocation endpoint (RFC 7009), which revokes the whole grant to which the token belongs. */
export function revoke(provider: Provider, { request, entry }: Exchange): ScriptedResponse {
  const params = readParams(entry);
  entry.params = params;
  const { id = '', secret = '' } = readClient(request.headers.authorization, params);
  if (!provider.clients.get(id)?.has(secret)) return jsonResponse(401, { error: 'invalid_client' });
  const family = provider.grants.describe(params['token'] ?? '')?.family;
  if (family !== undefined && provider.grants.isIssuedTo(params['token'] ?? '', id)) provider.grants.revoke(family);
  return { status: 200 };
}
