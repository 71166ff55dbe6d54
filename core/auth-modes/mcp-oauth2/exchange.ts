import { effectiveDefinition } from '#contract';
import type { OutboundResponse } from '../../kit/outbound.ts';
import {
  type ClientSettings,
  type Completed,
  type FlowEnd,
  ForeignResponse,
  type ModeDeps,
  type ModeInput,
  type RevocationOutcome,
  TokenFailure,
} from '../auth-mode.ts';
import { keptFields, keptQuery } from '../building-blocks/kept-values.ts';
import { serverMetadata, UnusableDocument } from '../building-blocks/server-metadata/index.ts';
import { authenticateClient } from '../building-blocks/token-endpoint/client-auth.ts';
import { withPreviousSecret } from '../building-blocks/token-endpoint/previous-secret.ts';
import { revocationOutcome } from '../building-blocks/token-endpoint/revoke-token.ts';
import { encodedBody, sendTokenRequest, tokenHeaders } from '../building-blocks/token-endpoint/token-call.ts';
import { knownCode } from '../building-blocks/token-endpoint/token-failure.ts';
import { readTokenResponse } from '../building-blocks/token-endpoint/token-response.ts';
import { type McpFlowSecrets, readSecrets } from './flow-secrets.ts';
import { forgetClient } from './shared-clients.ts';
import type { BoundClient, McpGrant, StoredMcpOAuth2 } from './stored.ts';

/**
 * Validates the authorization response, then exchanges the code at the server that the flow began with.
 *
 * @throws TokenFailure if the response is an error or from another server, or no token is issued for the code
 */
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
 * Checks `iss` (RFC 9207 §2.4), which protects against a hostile server that redirects users to an honest one. An error without
 * an issuer is accepted, since it gains an attacker nothing.
 */
function checkIssuer({ iss, error }: FlowEnd['query'], { issuer, isIssuerSent }: McpFlowSecrets): void {
  if (iss === issuer || (iss === undefined && (!isIssuerSent || error !== undefined))) return;
  throw new ForeignResponse('refused', 'the authorization response is not from the authorization server of this flow (iss)');
}

/**
 * Exchanges the refresh token, for the same resource and as the client that it was issued to.
 *
 * @throws TokenFailure if there is none, or the server issues no token for it
 */
export async function refresh(deps: ModeDeps, input: ModeInput, stored: StoredMcpOAuth2): Promise<StoredMcpOAuth2> {
  const { refreshToken, issuer, resource, client } = stored;
  if (refreshToken === undefined) throw new TokenFailure('refused', 'there is no refresh token');
  const { tokenEndpoint: url } = await serverMetadata(deps, issuer);
  const receivedAt = deps.now(); // Read before the call, so that no token is considered valid for longer than it is.
  const params = { grant_type: 'refresh_token', refresh_token: refreshToken, resource };
  const response = await callServer(deps, input, { url, client, params });
  const read = () => readTokenResponse(input, { response, receivedAt, previous: stored });
  return { type: 'MCP_OAUTH2', ...readAsClient(deps, stored, read), issuer, resource, client };
}

/**
 * Revokes the refresh token, which also invalidates its access tokens. Without a refresh token, revokes the access token (RFC
 * 7009).
 */
export async function revoke(deps: ModeDeps, input: ModeInput, stored: StoredMcpOAuth2): Promise<RevocationOutcome> {
  const { accessToken, refreshToken, issuer, client } = stored;
  return revocationOutcome(async () => {
    const { revocationEndpoint: url } = await serverMetadata(deps, issuer);
    if (url === undefined) return undefined;
    const token_type_hint = refreshToken === undefined ? 'access_token' : 'refresh_token';
    return callServer(deps, input, { url, client, params: { token: refreshToken ?? accessToken, token_type_hint } });
  });
}

/**
 * Reads a response of the token endpoint. If the server no longer knows a registered client, because the registration has expired
 * or was deleted, the failure is `refused`: no other client can use the grant, so the user has to authorize a new one. Other
 * failures do not end the authorization: a client document that the server could not fetch, an app that an operator can correct,
 * or an error of a server that fails or is busy.
 *
 * @throws TokenFailure if `read` throws one
 */
function readAsClient<T>(deps: ModeDeps, { issuer, client }: Pick<McpGrant, 'issuer' | 'client'>, read: () => T): T {
  try {
    return read();
  } catch (failure) {
    if (!(failure instanceof TokenFailure) || client.from !== 'registration') throw failure;
    const { status, providerCode } = failure;
    if (providerCode !== 'invalid_client' || status >= 500 || status === 429) throw failure;
    forgetClient(deps, issuer, client);
    const message = 'the authorization server no longer knows the registered client';
    throw new TokenFailure('refused', message, { status, providerCode, cause: failure });
  }
}

interface ServerCall {
  /** The endpoint's URL; undefined if the server's metadata has none. */
  readonly url: string | undefined;
  readonly client: BoundClient;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Calls the token or the revocation endpoint as the client that the tokens belong to.
 *
 * @throws TokenFailure if there is no endpoint, or no complete response arrives
 */
async function callServer(
  deps: ModeDeps,
  input: ModeInput,
  { url: address, client, params }: ServerCall,
): Promise<OutboundResponse> {
  if (address === undefined) throw new UnusableDocument('the metadata of the authorization server has no token endpoint');
  const url = new URL(address);
  const send = (asClient: ModeInput) =>
    sendTokenRequest(deps, async () => {
      const authentication = await authenticate(asClient, client, { url, now: deps.now() });
      return {
        url,
        headers: { ...tokenHeaders({}), ...authentication.headers },
        body: encodedBody({}, { ...params, ...authentication.params }),
      };
    });
  return client.from === 'integration' ? withPreviousSecret(deps, input, send) : send(input);
}

function authenticate(input: ModeInput, client: BoundClient, endpoint: { readonly url: URL; readonly now: Date }) {
  const definition = effectiveDefinition(input.definition, input.integrationConfig);
  if (client.from === 'integration') {
    const { token_request_auth_method: method = client.secretIn ?? 'body' } = definition;
    return authenticateClient(input, { ...definition, token_request_auth_method: method }, endpoint);
  }
  const { clientId, ...own } = client;
  const { clientSecret = '', secretIn = 'body' } = own.from === 'registration' ? own : {};
  const settings: ClientSettings = { clientId, clientSecret, scopes: [] };
  return authenticateClient({ ...input, client: settings }, { ...definition, token_request_auth_method: secretIn }, endpoint);
}
