import { type JsonObject, type ProviderDefinition, type TokenSet, valueAt } from '#contract';
import type { OutboundResponse } from '../../kit/outbound.ts';
import { type ModeInput, TokenFailure } from '../auth-mode.ts';
import { readAnswerBody } from './answer-body.ts';
import type { StoredOAuth2 } from './stored.ts';
import { errorCode, type FailureInput, tokenFailure } from './token-failure.ts';

/** A lifetime beyond this is a unit mix-up or nonsense. */
const MAX_LIFETIME_MS = 10 * 365 * 86_400_000;
const NUMERIC = /^\s*\d+(?:\.\d+)?\s*$/;
/** RFC 6749 A.12: what an access token is made of, and all that fits a header (RFC 6750 §2.1). */
const ACCESS_TOKEN = /^[\x20-\x7e]+$/;
const CONTROL = /\p{Cc}/u;

interface Received {
  readonly answer: OutboundResponse;
  /** When the request was sent or the answer came, whichever is known to be safe: a lifetime counts from here. */
  readonly receivedAt: Date;
  /** What is stored now; an answer without a refresh token leaves the old one in force (RFC 6749 §6). */
  readonly previous?: Previous | undefined;
}

export type Previous = Partial<Pick<StoredOAuth2, 'refreshToken' | 'configOverride' | 'statedLifetimeMs'>>;

/** Reads a token answer (RFC 6749 §5.1) as providers really write it. @throws TokenFailure when it holds no usable token */
export function readTokenAnswer(input: FailureInput, received: Received): StoredOAuth2 {
  const { answer, receivedAt } = received;
  const raw = readAnswerBody(answer.body, answer.headers['content-type']);
  const isSuccess = answer.status >= 200 && answer.status < 300;
  if (!isSuccess || raw === undefined || isError(raw, input.definition))
    throw tokenFailure(input, { answer, body: raw, now: receivedAt });

  const tokens =
    input.rules?.readTokens === undefined
      ? standardTokens(raw, input.definition, receivedAt)
      : pluginTokens(input, raw, receivedAt);
  return storedTokens(input, tokens, received);
}

/**
 * The stored form of tokens that arrived just now. Where they name no lifetime that can be believed, it is the one that the
 * connection's last answer stated, else the definition's.
 *
 * @throws TokenFailure for a token that cannot be one
 */
export function storedTokens(
  { definition }: Pick<ModeInput, 'definition'>,
  tokens: TokenSet,
  { receivedAt, previous }: Omit<Received, 'answer'>,
): StoredOAuth2 {
  const accessToken = readText(tokens.accessToken);
  if (accessToken === undefined || !ACCESS_TOKEN.test(accessToken))
    throw new TokenFailure('malformed', 'the token answer has no usable access token', { status: 200 });
  const refreshToken = readText(tokens.refreshToken) ?? previous?.refreshToken;
  return {
    type: 'OAUTH2',
    accessToken,
    ...(refreshToken !== undefined && { refreshToken }),
    ...lifetimeMembers(statedLifetimeMs(tokens, receivedAt) ?? previous?.statedLifetimeMs, definition, receivedAt),
    receivedAt: receivedAt.toISOString(),
    raw: JSON.parse(JSON.stringify(tokens.raw)),
    ...(previous?.configOverride !== undefined && { configOverride: previous.configOverride }),
  };
}

/** Some servers report errors with status 200. An object may be a report of success, which counts when a token is there. */
function isError(raw: JsonObject, { alternate_access_token_response_path: path }: ProviderDefinition): boolean {
  if (typeof raw['error'] === 'string') return raw['error'] !== '';
  return errorCode(raw) !== undefined && readText(findTokens(raw, path).accessToken) === undefined;
}

interface LooseTokens {
  readonly accessToken: unknown;
  readonly refreshToken: unknown;
  readonly expiresIn: unknown;
}

function standardTokens(raw: JsonObject, definition: ProviderDefinition, receivedAt: Date): TokenSet {
  const found = findTokens(raw, definition.alternate_access_token_response_path);
  const lifetimeMs = readLifetime(found.expiresIn, definition.expires_in_unit);
  return {
    accessToken: typeof found.accessToken === 'string' ? found.accessToken : '',
    ...(typeof found.refreshToken === 'string' && { refreshToken: found.refreshToken }),
    ...(lifetimeMs !== undefined && { expiresAt: new Date(receivedAt.getTime() + lifetimeMs) }),
    raw,
  };
}

/** Where the access token is nested, its companions stand beside it or at the top. */
function findTokens(raw: JsonObject, alternatePath: string | undefined): LooseTokens {
  const top = { accessToken: raw['access_token'], refreshToken: raw['refresh_token'], expiresIn: raw['expires_in'] };
  if (alternatePath === undefined || readText(top.accessToken) !== undefined) return top;
  const parent = alternatePath.split('.').slice(0, -1);
  const beside = (name: string) => valueAt(raw, [...parent, name].join('.'));
  return {
    accessToken: valueAt(raw, alternatePath),
    refreshToken: beside('refresh_token') ?? top.refreshToken,
    expiresIn: beside('expires_in') ?? top.expiresIn,
  };
}

/** A plugin's error may quote the answer, so neither its text nor the error itself goes on. */
function pluginTokens({ rules }: Pick<ModeInput, 'rules'>, raw: JsonObject, receivedAt: Date): TokenSet {
  try {
    const tokens = rules?.readTokens?.(raw, receivedAt);
    if (tokens !== undefined) return tokens;
  } catch {
    // Falls through to the one failure that both endings share.
  }
  throw new TokenFailure('malformed', 'the plugin finds no token in the answer', { status: 200 });
}

/** `expires_in` in milliseconds; undefined for anything that is no sane lifetime, which then counts as "not stated". */
function readLifetime(expiresIn: unknown, unit: ProviderDefinition['expires_in_unit']): number | undefined {
  const amount = typeof expiresIn === 'string' && NUMERIC.test(expiresIn) ? Number(expiresIn) : expiresIn;
  if (typeof amount !== 'number' || !(amount > 0)) return undefined;
  const lifetimeMs = Math.ceil(unit === 'milliseconds' ? amount : amount * 1000);
  return lifetimeMs <= MAX_LIFETIME_MS ? lifetimeMs : undefined;
}

function statedLifetimeMs({ expiresAt }: TokenSet, receivedAt: Date): number | undefined {
  const lifetimeMs = (expiresAt?.getTime() ?? 0) - receivedAt.getTime();
  return lifetimeMs > 0 && lifetimeMs <= MAX_LIFETIME_MS ? lifetimeMs : undefined;
}

function lifetimeMembers(
  stated: number | undefined,
  { token_lifetime: assumedSeconds }: ProviderDefinition,
  receivedAt: Date,
): Pick<StoredOAuth2, 'expiresAt' | 'statedLifetimeMs'> {
  const lifetimeMs = stated ?? (assumedSeconds === undefined ? undefined : assumedSeconds * 1000);
  if (lifetimeMs === undefined) return {};
  const expiresAt = new Date(receivedAt.getTime() + lifetimeMs).toISOString();
  return stated === undefined ? { expiresAt } : { expiresAt, statedLifetimeMs: stated };
}

/** A token without the white space around it, which no token begins or ends with; undefined for what cannot be one. */
function readText(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' || CONTROL.test(text) ? undefined : text;
}
