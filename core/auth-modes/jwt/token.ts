import { effectiveDefinition, type SignedJwtTemplate } from '#contract';
import { type ModeDeps, type ModeInput, TokenFailure } from '../auth-mode.ts';
import { fillHeaders, fillJson } from '../building-blocks/provider-template.ts';
import { type DefinedJwt, signDefinedJwt } from '../building-blocks/signed-jwt/defined-jwt.ts';
import { fittedFields, type KeyFields } from '../building-blocks/signed-jwt/key-fields.ts';
import { signingFailure } from '../building-blocks/signed-jwt/key-form.ts';
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

/**
 * Returns the credentials with a new token, which is either signed here or obtained with a newly signed assertion.
 *
 * @throws TokenFailure if the key cannot sign, or the provider issues no token for the assertion
 */
export async function withNewToken(deps: ModeDeps, input: ModeInput, previous: StoredJwt): Promise<StoredJwt> {
  const now = deps.now();
  const { token: template, assertion } = input.definition;
  if (assertion !== undefined) {
    const { fields, token } = await signed(assertion, input, { previous, now });
    return { type: 'JWT', ...fields, ...(await exchangeAssertion(deps, input, { assertion: token, now, previous })) };
  }
  if (template === undefined) throw new TokenFailure('transient', 'the provider definition declares neither token nor assertion');
  const { fields, token, expiresAt } = await signed(template, input, { previous, now });
  return { type: 'JWT', ...fields, token, expiresAt: expiresAt.toISOString(), receivedAt: now.toISOString() };
}

async function signed(
  template: SignedJwtTemplate,
  input: ModeInput,
  { previous, now }: { readonly previous: StoredJwt; readonly now: Date },
): Promise<DefinedJwt & { readonly fields: KeyFields }> {
  try {
    const fields = fittedFields(input.definition, template, previous);
    return { fields, ...(await signDefinedJwt(template, input, { fields, now })) };
  } catch (error) {
    throw signingFailure(error);
  }
}

interface AssertionCall {
  readonly assertion: string;
  /** When the call began. Lifetimes are counted from then, so that no token is considered valid for longer than it is. */
  readonly now: Date;
  readonly previous: StoredJwt;
}

/** Exchanges a signed assertion for an access token (RFC 7523 §2.1). @throws TokenFailure */
async function exchangeAssertion(
  deps: ModeDeps,
  input: ModeInput,
  { assertion, now, previous }: AssertionCall,
): Promise<Required<Pick<StoredJwt, 'token'>> & Pick<StoredJwt, 'expiresAt' | 'statedLifetimeMs' | 'receivedAt'>> {
  const response = await sendTokenRequest(deps, () => tokenRequest(input, assertion));
  const tokens = readTokenResponse(input, { response, receivedAt: now, previous });
  return { token: tokens.accessToken, ...lifetimeOf(tokens), receivedAt: tokens.receivedAt };
}

/**
 * Builds the token request. The assertion also authenticates the client (§3.1), so the request contains no other client
 * authentication.
 */
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
