import { valueAt } from '#contract';
import type { ModeDeps, ModeInput } from '../../auth-modes/auth-mode.ts';
import { fillTexts } from '../../auth-modes/building-blocks/provider-template.ts';
import {
  isPage,
  protectedResource,
  type ServerMetadata,
  serverMetadata,
  UnusableDocument,
} from '../../auth-modes/building-blocks/server-metadata/index.ts';
import { readResponseBody } from '../../auth-modes/building-blocks/token-endpoint/response-body.ts';
import { callTokenEndpoint } from '../../auth-modes/building-blocks/token-endpoint/token-call.ts';
import type { OutboundResponse } from '../../kit/outbound.ts';
import { ProbeFault } from './probe-fault.ts';
import { sharedUrl, WRONG } from './wrong-input.ts';

/** Statuses which show that an address does not exist, or serves something else. */
const ABSENT = [404, 405, 410];
const REJECTED = [400, 401, 403];
const NEED_A_KEY = ['private_key_jwt', 'tls_client_auth'];
const BOUNDS = { timeoutMs: 10_000 } as const;
/** Bounds of a call to a page, which may have any length, since only its status is checked. */
const PAGE = { ...BOUNDS, beyond: 'cut' } as const;

/**
 * Calls what one field of a definition states, and checks the response.
 *
 * @throws ProbeFault if the response is not as stated, or the call has to be skipped; OutboundError, TokenFailure if the call
 *   fails; TemplateError if a URL cannot be filled in
 */
export type ProbeCall = (deps: ModeDeps, input: ModeInput) => Promise<void>;

/** Checks that the server's own metadata (RFC 8414) names the endpoints that the definition states. */
export const probeIssuer: ProbeCall = async (deps, input) => {
  const { issuer = '', authorization_url, token_url } = input.definition;
  const { authorizationEndpoint, tokenEndpoint } = await metadataOf(deps, sharedUrl(issuer, input).href);
  const pairs = { authorization_url: [authorization_url, authorizationEndpoint], token_url: [token_url, tokenEndpoint] };
  for (const [member, [stated, published]] of Object.entries(pairs)) {
    if (stated !== undefined && published !== undefined && sharedUrl(stated, input).href !== published)
      throw new ProbeFault('failed', `the metadata of the server (RFC 8414) names another ${member}`);
  }
};

/**
 * Checks that the server's metadata (RFC 9728) names an authorization server whose own metadata names the endpoints. When a user
 * connects, the endpoints are found in the same way.
 */
export const probeMcpServer: ProbeCall = async (deps, input) => {
  const { issuers } = await protectedResource(deps, sharedUrl(input.definition.mcp_server_url ?? '', input));
  const { authorizationEndpoint, tokenEndpoint } = await serverMetadata(deps, issuers[0] ?? '');
  if (authorizationEndpoint === undefined || tokenEndpoint === undefined)
    throw new ProbeFault('failed', 'the metadata of the authorization server (RFC 8414) lacks its endpoints');
};

/**
 * Checks the authorization page: even for a client ID that does not exist, the provider must show a page, such as an error or its
 * sign-in.
 */
export const probeAuthorization: ProbeCall = async ({ outbound }, input) => {
  const { authorization_url = '', authorization_params } = input.definition;
  const url = sharedUrl(authorization_url, input);
  const params = { response_type: 'code', client_id: WRONG, redirect_uri: 'https://svc.invalid/oauth/callback', state: WRONG };
  const added = fillTexts(authorization_params, { ...input, credentials: { clientId: WRONG } });
  for (const [name, value] of Object.entries({ ...params, ...added })) url.searchParams.set(name, value);
  requirePresent(await outbound.call(url, PAGE));
};

/**
 * Checks the token endpoint: for a code and a client that do not exist, it must return an error that a program can read (RFC 6749
 * §5.2).
 */
export const probeToken: ProbeCall = async (deps, input) => {
  const { token_url = '', authorization_url, token_params, token_request_auth_method: method = 'body' } = input.definition;
  sharedUrl(token_url, input);
  if (NEED_A_KEY.includes(method))
    throw new ProbeFault('skipped', `${method} needs the private key of an app, which a probe does not have`);
  const isForCodes = authorization_url !== undefined;
  const response = await callTokenEndpoint({ ...deps, tokenCallMs: BOUNDS.timeoutMs }, input, {
    url: 'token_url',
    grantType: isForCodes ? 'authorization_code' : 'client_credentials',
    templates: token_params,
    params: isForCodes ? { code: WRONG, redirect_uri: 'https://svc.invalid/oauth/callback', code_verifier: WRONG } : {},
  });
  requirePresent(response);
  if (isPage(response.headers['content-type'])) throw new ProbeFault('failed', `the response (${response.status}) is a web page`);
};

/**
 * Checks that the provider rejects the verification call when it is sent without credentials; otherwise the call would accept
 * wrong ones, too.
 */
export const probeVerification: ProbeCall = async ({ outbound }, input) => {
  const { proxy } = input.definition;
  const { base_url = proxy?.base_url ?? '', endpoints = [], method, body, expect } = proxy?.verification ?? {};
  const url = sharedUrl(`${base_url}${endpoints[0]}`, input);
  const response = await outbound.call(url, { method: method ?? (body === undefined ? 'GET' : 'POST'), ...BOUNDS });
  requirePresent(response);
  if (REJECTED.includes(response.status)) return;
  const value = expect && valueAt(readResponseBody(response.body, response.headers['content-type']), expect.path);
  if (expect === undefined || value === expect.equals)
    throw new ProbeFault(
      'failed',
      `the call responds with status ${response.status} although called without credentials (expected 400, 401 or 403)`,
    );
};

/** Checks only that a server with this name responds, since the definition does not say what the base URL itself returns. */
export const probeApi: ProbeCall = async ({ outbound }, input) => {
  const { status } = await outbound.call(sharedUrl(input.definition.proxy?.base_url ?? '', input), PAGE);
  if (status >= 500) throw unexpected(status);
};

async function metadataOf(deps: ModeDeps, issuer: string): Promise<ServerMetadata> {
  try {
    return await serverMetadata(deps, issuer);
  } catch (error) {
    if (error instanceof UnusableDocument) throw new ProbeFault('skipped', error.message);
    throw error;
  }
}

function requirePresent({ status }: OutboundResponse): void {
  if (ABSENT.includes(status) || status >= 500) throw unexpected(status);
}

function unexpected(status: number): ProbeFault {
  return new ProbeFault('failed', `the response has status ${status}: the address does not exist, or its server fails`);
}
