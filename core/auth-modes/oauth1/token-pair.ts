import type { JsonObject } from '#contract';
import type { OutboundResponse } from '../../kit/outbound.ts';
import { TokenFailure } from '../auth-mode.ts';
import { MAX_SECRET } from '../building-blocks/credential-input.ts';
import { readResponseBody } from '../building-blocks/token-endpoint/response-body.ts';
import { type FailureInput, tokenFailure } from '../building-blocks/token-endpoint/token-failure.ts';

/** A token with its secret: a request token, or the token of a user. */
export interface TokenPair {
  readonly token: string;
  readonly tokenSecret: string;
  /** The provider's response, unchanged. */
  readonly raw: JsonObject;
}

/**
 * Parses the response of a token request (RFC 5849 §2.1, §2.3): a form, or JSON as some servers send.
 *
 * @throws TokenFailure if it is an error, or has no usable token
 */
export function readTokenPair(input: FailureInput, response: OutboundResponse, now: Date): TokenPair {
  const { status } = response;
  const raw = readResponseBody(response.body, response.headers['content-type']);
  if (status < 200 || status >= 300 || raw === undefined) throw tokenFailure(input, { response, body: raw, now });
  const { oauth_token: token, oauth_token_secret: tokenSecret } = raw;
  if (!isToken(token) || !isToken(tokenSecret))
    throw new TokenFailure('malformed', 'the token response has no usable oauth_token and oauth_token_secret', { status });
  return { token, tokenSecret, raw };
}

function isToken(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_SECRET && !/\p{Cc}/u.test(value);
}
