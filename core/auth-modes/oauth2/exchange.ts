import type { CodeGrant, JsonObject } from '#contract';
import { type Completed, type FlowEnd, ForeignResponse, type ModeDeps, type ModeInput, TokenFailure } from '../auth-mode.ts';
import { withDiscoveredEndpoints } from '../building-blocks/discovered-endpoints.ts';
import { filledFromParams } from '../building-blocks/filled-from-params.ts';
import { keptFields, keptQuery } from '../building-blocks/kept-values.ts';
import { fillTexts } from '../building-blocks/provider-template.ts';
import { withIntrospectedExpiry } from '../building-blocks/token-endpoint/introspect-token.ts';
import { callTokenEndpoint } from '../building-blocks/token-endpoint/token-call.ts';
import { knownCode } from '../building-blocks/token-endpoint/token-failure.ts';
import {
  type PreviousTokens,
  type ReceivedTokens,
  readTokenResponse,
  receivedTokens,
} from '../building-blocks/token-endpoint/token-response.ts';
import { requestAppTokens } from './app-tokens.ts';
import { checkIssuer } from './issuer.ts';
import { type StoredOAuth2, storedOAuth2 } from './stored.ts';

/**
 * Validates the authorization response, then exchanges the code (RFC 6749 §4.1.2 to §4.1.4).
 *
 * @throws TokenFailure if the response is an error or from another server, or no token is issued for the code
 */
export async function complete(
  deps: ModeDeps,
  given: ModeInput,
  { query, secrets, previous, exchangeCode }: FlowEnd,
): Promise<Completed<StoredOAuth2>> {
  checkIssuer(query, secrets);
  checkError(query);
  const found = keptQuery(given, query);
  const informed = { ...given, connectionConfig: { ...given.connectionConfig, ...found } };
  checkExpected(informed, query);
  const { input } = await withDiscoveredEndpoints(deps, informed);
  const known = knownLifetime(previous);
  const credentials =
    input.definition.callback?.grant === 'client_credentials'
      ? { ...storedOAuth2(await requestAppTokens(deps, input, known)), grant: 'client_credentials' as const }
      : storedOAuth2(await exchangeCodeOf(deps, input, { query, secrets, exchangeCode, known }));
  return { credentials, connectionConfig: { ...found, ...keptFields(input, credentials.raw) } };
}

interface CodeCallback extends Pick<FlowEnd, 'query' | 'secrets' | 'exchangeCode'> {
  readonly known: PreviousTokens;
}

async function exchangeCodeOf(
  deps: ModeDeps,
  input: ModeInput,
  { query, secrets, exchangeCode, known }: CodeCallback,
): Promise<ReceivedTokens> {
  const code = query[input.definition.callback_code_param ?? 'code'];
  if (code === undefined || code === '') throw new TokenFailure('malformed', 'the provider sent the browser back without a code');
  const tokens =
    exchangeCode === undefined
      ? await requestTokens(deps, input, { params: { code, ...keptSecrets(secrets) }, previous: known })
      : receivedTokens(input, await exchangeCode(grantOf(code, secrets), input.connectionConfig), {
          receivedAt: deps.now(),
          previous: known,
        });
  return withIntrospectedExpiry(deps, input, tokens);
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

/** Returns the stated lifetime of the previous tokens and nothing else, since a new authorization may be for another account. */
function knownLifetime(previous: FlowEnd['previous']): PreviousTokens {
  const stated = previous?.type === 'OAUTH2' ? (previous as StoredOAuth2).statedLifetimeMs : undefined;
  return stated === undefined ? {} : { statedLifetimeMs: stated };
}

/**
 * Checks that the callback has the parameters which the definition expects (`callback.expect`).
 *
 * @throws ForeignResponse; ServiceError `invalid_query_params` if a value for the comparison is missing
 */
function checkExpected(input: ModeInput, query: FlowEnd['query']): void {
  const expected = Object.entries(
    filledFromParams('the expected callback', () => fillTexts(input.definition.callback?.expect, input)),
  );
  const foreign = expected.find(([name, value]) => query[name] !== value);
  if (foreign === undefined) return;
  throw new ForeignResponse('refused', `the authorization response does not have the expected value of ${foreign[0]}`);
}

function checkError(query: FlowEnd['query']): void {
  if (query['error'] === undefined) return;
  throw new TokenFailure('refused', 'the provider ended the authorization', { providerCode: knownCode(query['error']) });
}

/** Returns the exact redirect URI of the authorization request and the PKCE verifier (RFC 7636 §4.5), for the token request. */
function keptSecrets({ redirectUri, codeVerifier }: JsonObject): Record<string, string> {
  return {
    ...(typeof redirectUri === 'string' && { redirect_uri: redirectUri }),
    ...(typeof codeVerifier === 'string' && { code_verifier: codeVerifier }),
  };
}
