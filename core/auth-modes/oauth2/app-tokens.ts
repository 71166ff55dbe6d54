import type { ModeDeps, ModeInput } from '../auth-mode.ts';
import { withIntrospectedExpiry } from '../building-blocks/token-endpoint/introspect-token.ts';
import { callTokenEndpoint } from '../building-blocks/token-endpoint/token-call.ts';
import { type PreviousTokens, type ReceivedTokens, readTokenResponse } from '../building-blocks/token-endpoint/token-response.ts';

/**
 * Requests tokens for the app itself (RFC 6749 §4.4), for providers whose callback reports the user's consent but brings no code.
 * They are not refreshed with a refresh token; instead the request is repeated.
 *
 * @throws TokenFailure if the provider issues none
 */
export async function requestAppTokens(deps: ModeDeps, input: ModeInput, previous: PreviousTokens): Promise<ReceivedTokens> {
  const receivedAt = deps.now(); // Read before the call, so that no token is considered valid for longer than it is.
  const { token_params: templates } = input.definition;
  const call = { url: 'token_url', grantType: 'client_credentials', templates, params: {} } as const;
  const response = await callTokenEndpoint(deps, input, call);
  return withIntrospectedExpiry(deps, input, readTokenResponse(input, { response, receivedAt, previous }));
}
