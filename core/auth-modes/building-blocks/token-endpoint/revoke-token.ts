import { effectiveDefinition } from '#contract';
import type { OutboundResponse } from '../../../kit/outbound.ts';
import { type ModeDeps, type ModeInput, type RevocationOutcome, TokenFailure } from '../../auth-mode.ts';
import { type EndpointUrl, withDiscoveredEndpoints } from '../discovered-endpoints.ts';
import { readResponseBody } from './response-body.ts';
import { callTokenEndpoint } from './token-call.ts';
import { errorCode } from './token-failure.ts';

interface RevokedToken {
  readonly token: string;
  readonly hint: 'access_token' | 'refresh_token';
  /** The URLs to discover if they are missing; see `withDiscoveredEndpoints`. */
  readonly needed?: readonly EndpointUrl[];
}

/**
 * Asks the authorization server to revoke a token (RFC 7009 §2.1). If a refresh token is revoked, its access tokens become
 * invalid too, provided that the server supports that.
 *
 * @returns `none` if the provider has no `revocation_url`
 */
export function revokeToken(deps: ModeDeps, given: ModeInput, { token, hint, needed }: RevokedToken): Promise<RevocationOutcome> {
  return revocationOutcome(async () => {
    const { input } = await withDiscoveredEndpoints(deps, given, needed);
    if (effectiveDefinition(input.definition, input.integrationConfig).revocation_url === undefined) return undefined;
    const params = { token, token_type_hint: hint };
    return callTokenEndpoint(deps, input, { url: 'revocation_url', templates: undefined, params });
  });
}

/**
 * Sends a revocation request and classifies its outcome.
 *
 * @param call sends the request (§2.1); returns undefined if there is no endpoint for it
 */
export async function revocationOutcome(call: () => Promise<OutboundResponse | undefined>): Promise<RevocationOutcome> {
  try {
    const response = await call();
    return response === undefined ? 'none' : outcomeOf(response);
  } catch (error) {
    if (!(error instanceof TokenFailure)) throw error;
    return error.kind === 'transient' || error.kind === 'unknown' ? 'later' : 'refused';
  }
}

/**
 * Classifies a response. For an invalid token a server should report success (§2.2); some reject it instead, with a code that
 * counts as success, too.
 */
function outcomeOf({ status, body, headers }: OutboundResponse): RevocationOutcome {
  if (status >= 200 && status < 300) return 'revoked';
  if (status === 429 || status >= 500) return 'later';
  const code = errorCode(readResponseBody(body, headers['content-type']))?.toLowerCase();
  return code === 'invalid_token' || code === 'invalid_grant' ? 'revoked' : 'refused';
}
