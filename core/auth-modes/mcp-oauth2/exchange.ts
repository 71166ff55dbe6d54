import { type Completed, type FlowEnd, ForeignResponse, type ModeDeps, type ModeInput, TokenFailure } from '../auth-mode.ts';
import { keptFields, keptQuery } from '../building-blocks/kept-values.ts';
import { knownCode } from '../building-blocks/token-endpoint/token-failure.ts';
import { readTokenResponse } from '../building-blocks/token-endpoint/token-response.ts';
import { type FlowSecrets, readSecrets } from './flow-secrets.ts';
import { readAsClient } from './lost-client.ts';
import type { StoredMcpOAuth2 } from './stored.ts';
import { callServer } from './token-request.ts';

/** Validates the authorization response, then exchanges the code at the server that the flow began at. @throws TokenFailure */
export async function complete(
  deps: ModeDeps,
  input: ModeInput,
  { query, secrets }: FlowEnd,
): Promise<Completed<StoredMcpOAuth2>> {
  const flow = readSecrets(secrets);
  checkIssuer(query, flow);
  if (query['error'] !== undefined)
    throw new TokenFailure('refused', 'the provider ended the authorization', { providerCode: knownCode(query['error']) });
  const { code = '' } = query;
  if (code === '') throw new TokenFailure('malformed', 'the provider sent the browser back without a code');

  const found = keptQuery(input, query);
  const { redirectUri: redirect_uri, codeVerifier: code_verifier, resource, client, issuer } = flow;
  const response = await callServer(deps, input, {
    url: flow.tokenEndpoint,
    client,
    params: { grant_type: 'authorization_code', code, redirect_uri, code_verifier, resource },
  });
  const tokens = readAsClient(deps, flow, () => readTokenResponse(input, { response, receivedAt: deps.now() }));
  return {
    credentials: { type: 'MCP_OAUTH2', ...tokens, issuer, resource, client },
    connectionConfig: { ...found, ...keptFields(input, tokens.raw) },
  };
}

/**
 * RFC 9207 §2.4, against a hostile server that sends its visitors on to an honest one. An error without an issuer gains an
 * attacker nothing.
 */
function checkIssuer({ iss, error }: FlowEnd['query'], { issuer, isIssuerSent }: FlowSecrets): void {
  if (iss === issuer || (iss === undefined && (!isIssuerSent || error !== undefined))) return;
  throw new ForeignResponse('refused', 'the authorization response is not from the authorization server of this flow (iss)');
}
