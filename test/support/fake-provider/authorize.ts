import { standardParams } from '../../../core/cli/rehearsal/dialect.ts';
import type { ScriptedResponse } from '../scripted-server/behaviour.ts';
import type { Exchange } from '../scripted-server/scripted-server.ts';
import { jsonResponse } from './echo.ts';
import type { Provider } from './provider.ts';

/** Serves the authorization endpoint, without asking for consent. `members` of the behaviour change the callback's parameters. */
export function authorize(provider: Provider, { entry, behaviour }: Exchange): ScriptedResponse {
  const { authorization_param_names: names, omit_params, callback_code_param: codeName = 'code' } = provider.settings.dialect;
  const params = standardParams(entry.params, names, omit_params?.authorization);
  if (params === undefined) return jsonResponse(400, { error: 'invalid_request' });
  const { redirect_uri: redirectUri, state, scope, code_challenge: challenge } = params;
  const clientId = omit_params?.authorization?.includes('client_id') === true ? provider.clientId : knownClient(provider, params);
  // RFC 6749 §4.1.2.1: if the client is unknown or the redirect URI is missing, the browser must not be redirected.
  if (clientId === undefined || redirectUri === undefined) return jsonResponse(400, { error: 'invalid_request' });

  const lacksPkce =
    provider.settings.pkce === 'required' && (challenge === undefined || params['code_challenge_method'] !== 'S256');
  const outcome = lacksPkce
    ? { error: 'invalid_request', error_description: 'PKCE with S256 is required' }
    : {
        [codeName]: provider.grants.issueCode({
          clientId,
          redirectUri,
          scope: scope ?? '',
          ...(challenge !== undefined && { challenge }),
        }),
      };
  const issuer = provider.settings.issuerInCallback ? { iss: provider.url } : {};
  const members = { ...outcome, ...(state !== undefined && { state }), ...issuer, ...behaviour.members };
  return { status: 302, headers: { location: withParams(redirectUri, members) } };
}

function knownClient({ clients }: Provider, { client_id: id = '' }: Readonly<Record<string, string>>): string | undefined {
  return clients.has(id) ? id : undefined;
}

function withParams(address: string, members: Readonly<Record<string, unknown>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(members)) if (value !== undefined) url.searchParams.set(name, String(value));
  return url.href;
}
