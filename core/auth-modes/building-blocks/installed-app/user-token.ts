import type { ProviderDefinition } from '#contract';
import { type FlowEnd, type ModeDeps, type ModeInput, TokenFailure } from '../../auth-mode.ts';
import { callTokenEndpoint } from '../token-endpoint/token-call.ts';
import { type ReceivedTokens, readTokenResponse } from '../token-endpoint/token-response.ts';

/**
 * Exchanges the code that comes with an installation for a token of the user (RFC 6749 §4.1.3). No redirect URI and no code
 * verifier are sent, since installation pages accept neither a redirect URI nor a code challenge.
 *
 * @throws TokenFailure if the callback has no code, or no token is issued for it
 */
export async function exchangeUserCode(deps: ModeDeps, input: ModeInput, query: FlowEnd['query']): Promise<ReceivedTokens> {
  const code = query['code'] ?? '';
  if (code === '') {
    const message = 'the provider sent the browser back without a code: its app does not ask users for authorization';
    throw new TokenFailure('malformed', message);
  }
  return userTokens(deps, input, { grantType: 'authorization_code', params: { code } });
}

/** @throws TokenFailure if the provider issues no new token */
export function refreshUserToken(deps: ModeDeps, input: ModeInput, user: ReceivedTokens): Promise<ReceivedTokens> {
  const { refreshToken = '' } = user;
  return userTokens(deps, input, { grantType: 'refresh_token', params: { refresh_token: refreshToken }, previous: user });
}

interface GrantRequest {
  readonly grantType: string;
  readonly params: Readonly<Record<string, string>>;
  readonly previous?: ReceivedTokens;
}

async function userTokens(
  deps: ModeDeps,
  input: ModeInput,
  { grantType, params, previous }: GrantRequest,
): Promise<ReceivedTokens> {
  const { rules: _, ...others } = input;
  const userInput = { ...others, definition: userDefinition(input.definition) };
  const receivedAt = deps.now(); // Read before the call, so that no token is considered valid for longer than it is.
  const call = { url: 'token_url', grantType, templates: undefined, params } as const;
  const response = await callTokenEndpoint(deps, userInput, call);
  return readTokenResponse(userInput, { response, receivedAt, previous });
}

/**
 * Returns the definition for requests for the user's tokens, without the fields that describe requests for installation tokens.
 */
function userDefinition(definition: ProviderDefinition): ProviderDefinition {
  const { token_params: _params, token_headers: _headers, body_format: _format, token_response: _paths, ...others } = definition;
  const { user_token_url: token_url } = definition.installation ?? {};
  return { ...others, ...(token_url !== undefined && { token_url }) };
}
