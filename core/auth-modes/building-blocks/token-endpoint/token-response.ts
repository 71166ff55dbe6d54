import type { JsonObject, ProviderDefinition, TokenSet } from '#contract';
import { parseJson } from '../../../kit/exact-json.ts';
import type { OutboundResponse } from '../../../kit/outbound.ts';
import { type ModeInput, TokenFailure } from '../../auth-mode.ts';
import type { Expiring } from '../stored-credentials.ts';
import { findTokens, MAX_LIFETIME_MS, readToken, standardTokens } from './find-tokens.ts';
import { readResponseBody } from './response-body.ts';
import { errorCode, type FailureInput, tokenFailure } from './token-failure.ts';

/** Matches an access token (RFC 6749 A.12). All of these characters may be sent in a header (RFC 6750 §2.1). */
const ACCESS_TOKEN = /^[\x20-\x7e]+$/;

/** The tokens of a token response, in the form in which modes store them. */
export interface ReceivedTokens extends Omit<Expiring, 'type'> {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** The provider's response, unchanged. */
  readonly raw: JsonObject;
}

interface TokenResponse {
  readonly response: OutboundResponse;
  /** When the request was sent, or when the response arrived if the former is unknown. Lifetimes are counted from then. */
  readonly receivedAt: Date;
  /** The stored tokens. Their refresh token remains in use if the response contains none (RFC 6749 §6). */
  readonly previous?: PreviousTokens | undefined;
}

export type PreviousTokens = Partial<Pick<ReceivedTokens, 'refreshToken' | 'statedLifetimeMs'>>;

/** Parses a token response (RFC 6749 §5.1) leniently, as providers vary. @throws TokenFailure if it has no usable token */
export function readTokenResponse(input: FailureInput, received: TokenResponse): ReceivedTokens {
  const { response, receivedAt } = received;
  const raw = readResponseBody(response.body, response.headers['content-type']);
  const isSuccess = response.status >= 200 && response.status < 300;
  if (!isSuccess || raw === undefined || isError(raw, input.definition))
    throw tokenFailure(input, { response, body: raw, now: receivedAt });

  const tokens =
    input.rules?.readTokens === undefined
      ? standardTokens(raw, input.definition, { receivedAt, headers: response.headers })
      : pluginTokens(input, raw, receivedAt);
  return receivedTokens(input, tokens, received);
}

/**
 * Validates new tokens. If they have no plausible lifetime, they get the one that an earlier response for the connection stated
 * or, if none did, the definition's.
 *
 * @throws TokenFailure for an unusable access token
 */
export function receivedTokens(
  { definition }: Pick<ModeInput, 'definition'>,
  tokens: TokenSet,
  { receivedAt, previous }: Omit<TokenResponse, 'response'>,
): ReceivedTokens {
  const accessToken = readToken(tokens.accessToken);
  if (accessToken === undefined || !ACCESS_TOKEN.test(accessToken))
    throw new TokenFailure('malformed', 'the token response has no usable access token', { status: 200 });
  const refreshToken = readToken(tokens.refreshToken) ?? previous?.refreshToken;
  return {
    accessToken,
    ...(refreshToken !== undefined && { refreshToken }),
    ...lifetimeFields(statedLifetimeMs(tokens, receivedAt) ?? previous?.statedLifetimeMs, definition, receivedAt),
    receivedAt: receivedAt.toISOString(),
    raw: parseJson(JSON.stringify(tokens.raw)),
  };
}

/**
 * Returns whether a response is an error, which some servers send with status 200. An `error` object may also describe a success,
 * in which case the response has a token.
 */
function isError(raw: JsonObject, definition: ProviderDefinition): boolean {
  if (typeof raw['error'] === 'string') return raw['error'] !== '';
  return errorCode(raw) !== undefined && readToken(findTokens(raw, definition).accessToken) === undefined;
}

/** Reads the tokens with the plugin's `readTokens`. Its errors are dropped, since they may quote the response. */
function pluginTokens({ rules }: Pick<ModeInput, 'rules'>, raw: JsonObject, receivedAt: Date): TokenSet {
  try {
    const tokens = rules?.readTokens?.(raw, receivedAt);
    if (tokens !== undefined) return tokens;
  } catch {
    // An error leads to the same failure as a plugin that finds nothing.
  }
  throw new TokenFailure('malformed', 'the plugin finds no token in the response', { status: 200 });
}

function statedLifetimeMs({ expiresAt }: TokenSet, receivedAt: Date): number | undefined {
  const lifetimeMs = (expiresAt?.getTime() ?? 0) - receivedAt.getTime();
  return lifetimeMs > 0 && lifetimeMs <= MAX_LIFETIME_MS ? lifetimeMs : undefined;
}

function lifetimeFields(
  stated: number | undefined,
  { token_lifetime: assumedSeconds }: ProviderDefinition,
  receivedAt: Date,
): Pick<ReceivedTokens, 'expiresAt' | 'statedLifetimeMs'> {
  const lifetimeMs = stated ?? (assumedSeconds === undefined ? undefined : assumedSeconds * 1000);
  if (lifetimeMs === undefined) return {};
  const expiresAt = new Date(receivedAt.getTime() + lifetimeMs).toISOString();
  return stated === undefined ? { expiresAt } : { expiresAt, statedLifetimeMs: stated };
}
