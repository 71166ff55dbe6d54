import { type ModeDeps, type ModeInput, type RevocationOutcome, TokenFailure } from '../auth-mode.ts';
import { withDiscoveredEndpoints } from '../building-blocks/discovered-endpoints.ts';
import { withIntrospectedExpiry } from '../building-blocks/token-endpoint/introspect-token.ts';
import { withSecret } from '../building-blocks/token-endpoint/previous-secret.ts';
import { revokeToken } from '../building-blocks/token-endpoint/revoke-token.ts';
import { callTokenEndpoint } from '../building-blocks/token-endpoint/token-call.ts';
import { readTokenResponse } from '../building-blocks/token-endpoint/token-response.ts';
import { requestAppTokens } from './app-tokens.ts';
import { type StoredOAuth2, storedOAuth2 } from './stored.ts';

/**
 * Exchanges the refresh token for new tokens (RFC 6749 §6) or, without one, repeats the grant, in both cases as the app that the
 * tokens were issued to.
 *
 * @throws TokenFailure if there is neither a refresh token nor such a grant, or the provider issues no tokens
 */
export async function refresh(deps: ModeDeps, given: ModeInput, stored: StoredOAuth2): Promise<StoredOAuth2> {
  const { grant, refreshToken } = stored;
  if (refreshToken === undefined && grant === undefined) throw new TokenFailure('refused', 'there is no refresh token');

  const receivedAt = deps.now(); // Read before the call, so that no token is considered valid for longer than it is.
  const { input } = await withDiscoveredEndpoints(deps, given);
  const asOwnApp = withOwnApp(input, stored);
  if (refreshToken === undefined) return storedOAuth2(await requestAppTokens(deps, asOwnApp, stored), stored);
  const response = await callTokenEndpoint(deps, asOwnApp, {
    url: 'refresh_url',
    grantType: 'refresh_token',
    templates: input.definition.refresh_params,
    params: { refresh_token: refreshToken },
  });
  const tokens = readTokenResponse(input, { response, receivedAt, previous: stored });
  return storedOAuth2(await withIntrospectedExpiry(deps, asOwnApp, tokens), stored);
}

/** Revokes the refresh token, which also invalidates its access tokens. Without a refresh token, revokes the access token. */
export async function revoke(deps: ModeDeps, input: ModeInput, stored: StoredOAuth2): Promise<RevocationOutcome> {
  const { accessToken, refreshToken } = stored;
  return revokeToken(
    deps,
    withOwnApp(input, stored),
    refreshToken === undefined ? { token: accessToken, hint: 'access_token' } : { token: refreshToken, hint: 'refresh_token' },
  );
}

function withOwnApp(input: ModeInput, { configOverride }: StoredOAuth2): ModeInput {
  return configOverride === undefined ? input : { ...input, client: withSecret(input.client, configOverride) };
}
