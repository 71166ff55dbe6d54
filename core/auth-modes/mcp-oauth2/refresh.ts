import { type ModeDeps, type ModeInput, type RevocationOutcome, TokenFailure } from '../auth-mode.ts';
import { serverMetadata } from '../building-blocks/server-metadata/index.ts';
import { revocationOutcome } from '../building-blocks/token-endpoint/revoke-token.ts';
import { readTokenResponse } from '../building-blocks/token-endpoint/token-response.ts';
import { readAsClient } from './lost-client.ts';
import type { StoredMcpOAuth2 } from './stored.ts';
import { callServer } from './token-request.ts';

/** Exchanges the refresh token, for the same resource and as the same client. @throws TokenFailure */
export async function refresh(deps: ModeDeps, input: ModeInput, stored: StoredMcpOAuth2): Promise<StoredMcpOAuth2> {
  const { refreshToken, issuer, resource, client } = stored;
  if (refreshToken === undefined) throw new TokenFailure('refused', 'there is no refresh token');
  const { tokenEndpoint: url } = await serverMetadata(deps, issuer);
  const receivedAt = deps.now(); // A lifetime counted from before the call can only be too short.
  const params = { grant_type: 'refresh_token', refresh_token: refreshToken, resource };
  const response = await callServer(deps, input, { url, client, params });
  const read = () => readTokenResponse(input, { response, receivedAt, previous: stored });
  return { type: 'MCP_OAUTH2', ...readAsClient(deps, stored, read), issuer, resource, client };
}

/** RFC 7009: the refresh token, whose access tokens then end, too; else the access token. */
export async function revoke(deps: ModeDeps, input: ModeInput, stored: StoredMcpOAuth2): Promise<RevocationOutcome> {
  const { accessToken, refreshToken, issuer, client } = stored;
  return revocationOutcome(async () => {
    const { revocationEndpoint: url } = await serverMetadata(deps, issuer);
    if (url === undefined) return undefined;
    const token_type_hint = refreshToken === undefined ? 'access_token' : 'refresh_token';
    return callServer(deps, input, { url, client, params: { token: refreshToken ?? accessToken, token_type_hint } });
  });
}
