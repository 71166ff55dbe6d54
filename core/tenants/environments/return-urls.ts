import { isSafeToVisit } from './origins.ts';

const MAX_LENGTH = 2048;
/**
 * Matches dots and slashes that are encoded, even several times: after the prefix was compared, a server might decode them into
 * `..` or into another path segment.
 */
const ENCODED_STEP = /%(?:25)*(?:2e|2f|5c)/i;
const DOT_SEGMENT = /(?:^|\/)\.{1,2}(?:\/|$)/;

/** Reads an address below which sessions may return. @returns its canonical form; undefined when the address is not allowed */
export function readReturnPrefix(text: string): string | undefined {
  const url = readAddress(text);
  return url === undefined || url.search !== '' || url.hash !== '' || /[?#]/.test(text) ? undefined : url.href;
}

/**
 * Returns why a browser may not be sent to an address at the end of a connect link, as the continuation of "return_url …";
 * undefined if it may.
 *
 * @param allowed canonical addresses; each allows itself and everything below its path
 */
export function faultOfReturnUrl(text: string, allowed: readonly string[]): string | undefined {
  const url = readAddress(text);
  if (url === undefined)
    return 'must be an https URL (http on localhost) without user name, backslashes, dot segments and encoded dots or slashes';
  if (allowed.length === 0) return 'is not allowed: the environment has no return URLs; set them by `env set --return-urls`';
  if (allowed.some((prefix) => isBelow(url, new URL(prefix)))) return undefined;
  return 'is not below one of the environment’s return URLs; set them by `env set --return-urls`';
}

function readAddress(text: string): URL | undefined {
  const isPlain = text.length <= MAX_LENGTH && /^https?:\/\/[^/\\]/i.test(text) && /^[\x21-\x7e]*$/.test(text);
  if (!isPlain) return undefined;
  const [path = ''] = text.split(/[?#]/, 1);
  if (path.includes('\\') || path.includes('@') || ENCODED_STEP.test(path) || DOT_SEGMENT.test(path)) return undefined;
  const url = URL.parse(text);
  if (url === null || !isSafeToVisit(url) || url.username + url.password !== '') return undefined;
  return url;
}

function isBelow(url: URL, prefix: URL): boolean {
  if (url.origin !== prefix.origin) return false;
  const { pathname } = prefix;
  return url.pathname === pathname || url.pathname.startsWith(pathname.endsWith('/') ? pathname : `${pathname}/`);
}
