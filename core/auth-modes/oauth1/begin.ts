import { ServiceError } from '../../errors.ts';
import { type FlowStart, type ModeDeps, type ModeInput, type Redirect, TokenFailure } from '../auth-mode.ts';
import { clientIdValue } from '../building-blocks/client-values.ts';
import { filledFromParams } from '../building-blocks/filled-from-params.ts';
import { firstToken } from '../building-blocks/first-token.ts';
import { fillProviderUrl, fillTexts } from '../building-blocks/provider-template.ts';
import { requestedScopes, scopeParam } from '../building-blocks/scopes.ts';
import { sendTokenRequest, type TokenRequest } from '../building-blocks/token-endpoint/token-call.ts';
import { readTokenPair, type TokenPair } from './token-pair.ts';
import { tokenRequest } from './token-request.ts';

/**
 * Fetches a request token, and sends the user to the provider with it (RFC 5849 §2.1, §2.2).
 *
 * @throws ServiceError before anything is sent: `invalid_auth_mode` if the definition lacks the URLs, `missing_client_id` if the
 *   integration's app is incomplete, `invalid_query_params` if a value of a URL is missing; after that: `connection_test_failed`
 *   if the provider rejects the app, else `provider_unavailable`
 */
export async function begin(deps: ModeDeps, input: ModeInput, flow: FlowStart): Promise<Redirect> {
  const { authorization_url, request_url, token_url } = input.definition;
  if (authorization_url === undefined || request_url === undefined || token_url === undefined)
    throw new ServiceError(
      'invalid_auth_mode',
      'the definition has no URLs for connecting users; connections can only be imported',
    );
  const { url, request } = filledFromParams('the authorization URL', () => ({
    url: authorizationUrl(authorization_url, input, flow),
    request: requestTokenRequest(input, flow, deps.now()),
  }));
  const { token, tokenSecret } = await firstToken(
    () => fetchRequestToken(deps, input, request),
    'the provider issues no request token to the integration’s app',
  );
  url.searchParams.set('oauth_token', token);
  return { url: url.href, secrets: { requestToken: token, requestTokenSecret: tokenSecret } };
}

/**
 * Returns the authorization URL. Its parameters are merged in this order, and later ones win: those of the definition, of the
 * plugin and of the application's backend.
 */
function authorizationUrl(template: string, input: ModeInput, flow: FlowStart): URL {
  const { client, connectionConfig, definition, rules } = input;
  const scopes = requestedScopes(client, definition);
  const { oauth_callback: _, ...added } = flow.authorizationParams; // The callback is set in the request for the request token.
  const params = {
    ...scopeParam(client, definition),
    ...fillTexts(definition.authorization_params, { ...input, credentials: clientIdValue(client) }),
    ...rules?.authorizationParams?.({ scopes, connectionConfig }),
    ...added,
  };
  const url = fillProviderUrl(template, input);
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url;
}

function requestTokenRequest(input: ModeInput, { redirectUri, state }: FlowStart, at: Date): TokenRequest {
  // OAuth 1 has no `state`. It is put into the callback's query, which the server must preserve (§2.2).
  const callback = new URL(redirectUri);
  callback.searchParams.set('state', state);
  return tokenRequest(input, {
    url: 'request_url',
    templates: input.definition.request_params,
    parameters: [['oauth_callback', callback.href]],
    at,
  });
}

/** @throws TokenFailure if the provider issues no request token, or does not confirm the callback */
async function fetchRequestToken(deps: ModeDeps, input: ModeInput, request: TokenRequest): Promise<TokenPair> {
  const response = await sendTokenRequest(deps, () => request);
  const pair = readTokenPair(input, response, deps.now());
  // A server that does not confirm the callback implements the first version of OAuth, in which an attacker can make a victim
  // authorize the attacker's flow (OAuth Security Advisory 2009.1).
  if (String(pair.raw['oauth_callback_confirmed']) !== 'true')
    throw new TokenFailure('malformed', 'the provider did not confirm the callback (oauth_callback_confirmed)', {
      status: response.status,
    });
  return pair;
}
