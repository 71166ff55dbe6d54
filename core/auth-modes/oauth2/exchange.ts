import type { CodeGrant, JsonObject } from '#contract';
import { type Completed, type FlowEnd, type ModeDeps, type ModeInput, TokenFailure } from '../auth-mode.ts';
import { withDiscoveredEndpoints } from '../discovered-endpoints.ts';
import { keptFields, keptQuery } from '../kept-values.ts';
import { withIntrospectedExpiry } from '../token-endpoint/introspect-token.ts';
import { callTokenEndpoint } from '../token-endpoint/token-call.ts';
import { knownCode } from '../token-endpoint/token-failure.ts';
import { type PreviousTokens, type ReceivedTokens, readTokenResponse, receivedTokens } from '../token-endpoint/token-response.ts';
import { checkIssuer } from './issuer.ts';
import { type StoredOAuth2, storedOAuth2 } from './stored.ts';

/** Validates the authorization response, then exchanges the code (RFC 6749 §4.1.2 to §4.1.4). @throws TokenFailure */
export async function complete(
  deps: ModeDeps,
  given: ModeInput,
  { query, secrets, previous, exchangeCode }: FlowEnd,
): Promise<Completed<StoredOAuth2>> {
  checkIssuer(query, secrets);
  checkError(query);
  const code = query[given.definition.callback_code_param ?? 'code'];
  if (code === undefined || code === '') throw new TokenFailure('malformed', 'the provider sent the browser back without a code');

  const found = keptQuery(given, query);
  const { input } = await withDiscoveredEndpoints(deps, { ...given, connectionConfig: { ...given.connectionConfig, ...found } });
  const known = knownLifetime(previous);
  const tokens =
    exchangeCode === undefined
      ? await requestTokens(deps, input, { params: { code, ...keptSecrets(secrets) }, previous: known })
      : receivedTokens(input, await exchangeCode(grantOf(code, secrets), input.connectionConfig), {
          receivedAt: deps.now(),
          previous: known,
        });
  const credentials = storedOAuth2(await withIntrospectedExpiry(deps, input, tokens));
  return { credentials, connectionConfig: { ...found, ...keptFields(input, credentials.raw) } };
}

async function requestTokens(
  deps: ModeDeps,
  input: ModeInput,
  { params, previous }: { readonly params: Readonly<Record<string, string>>; readonly previous: PreviousTokens },
): Promise<ReceivedTokens> {
  const { token_params: templates } = input.definition;
  const call = { url: 'token_url', grantType: 'authorization_code', templates, params } as const;
  const response = await callTokenEndpoint(deps, input, call);
  return readTokenResponse(input, { response, receivedAt: deps.now(), previous });
}

function grantOf(code: string, { redirectUri, codeVerifier: verifier }: JsonObject): CodeGrant {
  return { code, redirectUri: String(redirectUri), ...(typeof verifier === 'string' && { verifier }) };
}

/** Nothing else is kept of the previous tokens: a new authorization may be for another account. */
function knownLifetime(previous: FlowEnd['previous']): PreviousTokens {
  const stated = previous?.type === 'OAUTH2' ? (previous as StoredOAuth2).statedLifetimeMs : undefined;
  return stated === undefined ? {} : { statedLifetimeMs: stated };
}

function checkError(query: FlowEnd['query']): void {
  if (query['error'] === undefined) return;
  throw new TokenFailure('refused', 'the provider ended the authorization', { providerCode: knownCode(query['error']) });
}

/** The exact redirect URI of the request, and the PKCE verifier (RFC 7636 §4.5). */
function keptSecrets({ redirectUri, codeVerifier }: JsonObject): Record<string, string> {
  return {
    ...(typeof redirectUri === 'string' && { redirect_uri: redirectUri }),
    ...(typeof codeVerifier === 'string' && { code_verifier: codeVerifier }),
  };
}
