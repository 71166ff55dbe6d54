import type { JsonObject } from '#contract';
import { type Completed, type FlowEnd, ForeignResponse, type ModeDeps, type ModeInput, TokenFailure } from '../auth-mode.ts';
import { keptFields, keptQuery } from '../building-blocks/kept-values.ts';
import { sendTokenRequest } from '../building-blocks/token-endpoint/token-call.ts';
import { knownCode } from '../building-blocks/token-endpoint/token-failure.ts';
import type { StoredOAuth1 } from './stored.ts';
import { readTokenPair } from './token-pair.ts';
import { tokenRequest } from './token-request.ts';

/** Codes of the extension "OAuth Problem Reporting" which mean that the user refused. */
const DENIALS = ['user_refused', 'permission_denied'];

/**
 * Validates the callback, then exchanges the request token for the user's token (RFC 5849 §2.2, §2.3).
 *
 * @throws TokenFailure if the callback is a refusal or belongs to another flow, or no token is issued
 */
export async function complete(deps: ModeDeps, input: ModeInput, { query, secrets }: FlowEnd): Promise<Completed<StoredOAuth1>> {
  checkDenied(query);
  const { token, tokenSecret } = requestTokenOf(secrets);
  // With the verifier of another flow, another person's account would be connected.
  if (query['oauth_token'] !== token)
    throw new ForeignResponse('refused', 'the callback does not carry the request token of this flow (oauth_token)');
  const verifier = query['oauth_verifier'];
  if (verifier === undefined || verifier === '')
    throw new TokenFailure('malformed', 'the provider sent the browser back without a verifier (oauth_verifier)');

  const found = keptQuery(input, query);
  const informed = { ...input, connectionConfig: { ...input.connectionConfig, ...found } };
  const response = await sendTokenRequest(deps, () =>
    tokenRequest(informed, {
      url: 'token_url',
      templates: input.definition.token_params,
      token,
      tokenSecret,
      parameters: [['oauth_verifier', verifier]],
      at: deps.now(),
    }),
  );
  const receivedAt = deps.now();
  const { raw, ...pair } = readTokenPair(input, response, receivedAt);
  return {
    credentials: {
      type: 'OAUTH1',
      oauthToken: pair.token,
      oauthTokenSecret: pair.tokenSecret,
      raw,
      receivedAt: receivedAt.toISOString(),
    },
    connectionConfig: { ...found, ...keptFields(input, raw) },
  };
}

/**
 * Throws if the user or the provider refused the authorization. OAuth 1 defines no error response, so servers send `denied`, an
 * `oauth_problem`, or the `error` of OAuth 2.
 */
function checkDenied({ denied, error, oauth_problem: problem }: FlowEnd['query']): void {
  if (denied === undefined && error === undefined && problem === undefined) return;
  const isDenied = denied !== undefined || error !== undefined || DENIALS.includes(String(problem));
  const providerCode = knownCode(error) ?? (isDenied ? 'access_denied' : undefined);
  throw new TokenFailure('refused', 'the provider ended the authorization', { providerCode });
}

function requestTokenOf({ requestToken, requestTokenSecret }: JsonObject): { token: string; tokenSecret: string } {
  if (typeof requestToken === 'string' && typeof requestTokenSecret === 'string')
    return { token: requestToken, tokenSecret: requestTokenSecret };
  throw new TokenFailure('malformed', 'the flow began when the provider had another auth mode');
}
