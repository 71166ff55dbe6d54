import { type JsonObject, type ProviderDefinition, type TokenSet, valueAt } from '#contract';
import { byOurClock, type Received } from './server-clock.ts';

/** Maximum plausible lifetime of a token, in milliseconds: a longer one is a mistake, or was stated in another unit. */
export const MAX_LIFETIME_MS = 10 * 365 * 86_400_000;
const NUMERIC = /^\s*\d+(?:\.\d+)?\s*$/;
const DURATION = /^(\d{1,7}):([0-5]\d):([0-5]\d)$/;
/** Matches a date and time without a zone, which `Date.parse` would read as local time. */
const WITHOUT_ZONE = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;
const CONTROL = /\p{Cc}/u;
/**
 * The smallest number that is read as milliseconds since 1970, which is a time in 1973. Smaller numbers are read as seconds,
 * which are times before the year 5138.
 */
const FIRST_MILLISECONDS = 1e11;

interface LooseTokens {
  readonly accessToken: unknown;
  readonly refreshToken: unknown;
  readonly expiresIn: unknown;
  /** When the access token expires, if the response states that rather than a lifetime. */
  readonly expiresAt?: unknown;
}

/** Reads the tokens from the paths that the definition declares, or else from the fields of RFC 6749 §5.1. */
export function standardTokens(raw: JsonObject, definition: ProviderDefinition, received: Received): TokenSet {
  const found = findTokens(raw, definition);
  const lifetimeMs = readLifetime(found.expiresIn, definition.expires_in_unit);
  const end = lifetimeMs === undefined ? readTime(found.expiresAt) : undefined;
  const expiresAt =
    lifetimeMs === undefined ? end && byOurClock(end, received) : new Date(received.receivedAt.getTime() + lifetimeMs);
  return {
    accessToken: typeof found.accessToken === 'string' ? found.accessToken : '',
    ...(typeof found.refreshToken === 'string' && { refreshToken: found.refreshToken }),
    ...(expiresAt !== undefined && { expiresAt }),
    raw,
  };
}

export function findTokens(
  raw: JsonObject,
  { token_response: paths, alternate_access_token_response_path: alternatePath }: ProviderDefinition,
): LooseTokens {
  const top = { accessToken: raw['access_token'], refreshToken: raw['refresh_token'], expiresIn: raw['expires_in'] };
  if (paths !== undefined) return tokensAt(raw, paths);
  if (alternatePath === undefined || readToken(top.accessToken) !== undefined) return top;
  // If the access token is nested, the other fields are either beside it or at the top level.
  const parent = alternatePath.split('.').slice(0, -1);
  const beside = (name: string) => valueAt(raw, [...parent, name].join('.'));
  return {
    accessToken: valueAt(raw, alternatePath),
    refreshToken: beside('refresh_token') ?? top.refreshToken,
    expiresIn: beside('expires_in') ?? top.expiresIn,
  };
}

function tokensAt(raw: JsonObject, paths: NonNullable<ProviderDefinition['token_response']>): LooseTokens {
  const at = (path: string | undefined) => (path === undefined ? undefined : valueAt(raw, path));
  const expiry = at(paths.token_expiration);
  const isLifetime = paths.token_expiration_strategy === 'expireIn';
  return {
    accessToken: at(paths.token),
    refreshToken: at(paths.refresh_token),
    expiresIn: isLifetime ? expiry : undefined,
    expiresAt: isLifetime ? undefined : expiry,
  };
}

/** Reads a point in time, given as seconds or milliseconds since 1970 or as a date. */
function readTime(value: unknown): Date | undefined {
  const number = typeof value === 'string' && NUMERIC.test(value) ? Number(value) : value;
  if (typeof number === 'string') return validDate(Date.parse(WITHOUT_ZONE.test(number) ? `${number}Z` : number));
  return typeof number === 'number' ? validDate(number < FIRST_MILLISECONDS ? number * 1000 : number) : undefined;
}

function validDate(time: number): Date | undefined {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/**
 * Reads a lifetime, given as a number or as `h:mm:ss`, and returns it in milliseconds. An implausible lifetime is returned as
 * undefined, as if none had been stated.
 */
function readLifetime(expiresIn: unknown, unit: ProviderDefinition['expires_in_unit']): number | undefined {
  const [, hours, minutes, seconds] = (typeof expiresIn === 'string' && DURATION.exec(expiresIn)) || [];
  if (hours !== undefined) return plausible((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000);
  const amount = typeof expiresIn === 'string' && NUMERIC.test(expiresIn) ? Number(expiresIn) : expiresIn;
  if (typeof amount !== 'number' || !(amount > 0)) return undefined;
  return plausible(Math.ceil(unit === 'milliseconds' ? amount : amount * 1000));
}

function plausible(lifetimeMs: number): number | undefined {
  return lifetimeMs > 0 && lifetimeMs <= MAX_LIFETIME_MS ? lifetimeMs : undefined;
}

/** Returns the trimmed token; undefined for anything that cannot be a token. */
export function readToken(value: unknown): string | undefined {
  const token = typeof value === 'string' ? value.trim() : '';
  return token === '' || CONTROL.test(token) ? undefined : token;
}
