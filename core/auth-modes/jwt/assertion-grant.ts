import { effectiveDefinition } from '#contract';
import type { ModeDeps, ModeInput } from '../auth-mode.ts';
import { fillHeaders, fillJson } from '../building-blocks/provider-template.ts';
import { lifetimeOf } from '../building-blocks/stored-credentials.ts';
import {
  encodedBody,
  sendTokenRequest,
  type TokenRequest,
  tokenHeaders,
  tokenUrl,
} from '../building-blocks/token-endpoint/token-call.ts';
import { readTokenResponse } from '../building-blocks/token-endpoint/token-response.ts';
import type { StoredJwt } from './stored.ts';

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

interface AssertionCall {
  readonly assertion: string;
  /** A lifetime counted from before the call can only be too short. */
  readonly now: Date;
  readonly previous: StoredJwt;
}

/** Exchanges a signed assertion for an access token (RFC 7523 §2.1). @throws TokenFailure */
export async function exchangeAssertion(
  deps: ModeDeps,
  input: ModeInput,
  { assertion, now, previous }: AssertionCall,
): Promise<Required<Pick<StoredJwt, 'token'>> & Pick<StoredJwt, 'expiresAt' | 'statedLifetimeMs' | 'receivedAt'>> {
  const response = await sendTokenRequest(deps, () => tokenRequest(input, assertion));
  const tokens = readTokenResponse(input, { response, receivedAt: now, previous });
  return { token: tokens.accessToken, ...lifetimeOf(tokens), receivedAt: tokens.receivedAt };
}

/** The assertion authenticates the client, too (§3.1), so no other client authentication is sent. */
function tokenRequest(input: ModeInput, assertion: string): TokenRequest {
  const definition = effectiveDefinition(input.definition, input.integrationConfig);
  return {
    url: tokenUrl(input, definition.token_url),
    headers: {
      ...tokenHeaders(definition),
      ...fillHeaders(definition.token_headers, input),
    },
    body: encodedBody(definition, { ...fillJson(definition.token_params, input), grant_type: GRANT_TYPE, assertion }),
  };
}
