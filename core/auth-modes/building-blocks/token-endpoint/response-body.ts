import { isObject, type Json, type JsonObject } from '#contract';
import { parseJson } from '../../../kit/exact-json.ts';
import { decodings } from './response-charset.ts';

/** Maximum nesting depth, which no token response reaches; it limits the work of traversing and serializing a response. */
const MAX_DEPTH = 16;
const FORM_START = /^[A-Za-z0-9_.%+-]+=/;
/**
 * Matches a form value: any characters except white space and markup, even those that `application/x-www-form-urlencoded` would
 * escape.
 */
const FORM_VALUE = /^[^\s<>{}"]*$/;
/**
 * Fields of RFC 6749 §5 and RFC 5849 §2 on which decisions depend. Their values are accepted only if they are properly encoded.
 */
const STRICT_FIELDS = new Set([
  'access_token',
  'refresh_token',
  'expires_in',
  'token_type',
  'error',
  'oauth_token',
  'oauth_token_secret',
  'oauth_callback_confirmed',
]);
/** Matches an escape, a delimiter of a string, or a control character. */
const JSON_MARK = /\\.|"|\p{Cc}/gu;

/**
 * Reads the fields of a JSON response (RFC 6749 §5.1), or of a form-encoded one, which older servers send; undefined for anything
 * else. If the response were rejected, a rotated refresh token in it would be lost, so faults outside the important fields are
 * tolerated: a wrong charset, raw control characters inside JSON strings, raw spaces in a form.
 *
 * @param contentType the `Content-Type` header
 */
export function readResponseBody(body: Buffer, contentType?: string): JsonObject | undefined {
  for (const decoded of decodings(body, contentType)) {
    const text = decoded.trim();
    const fields = text.startsWith('{') ? (readJson(text) ?? readJson(withEscapes(text))) : readForm(text);
    if (fields !== undefined) return fields;
  }
  return undefined;
}

function readJson(text: string): JsonObject | undefined {
  try {
    const value: Json = parseJson(text);
    return isObject(value) && isShallow(value, MAX_DEPTH) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Escapes control characters in strings, as RFC 8259 §7 requires; some servers send line breaks unescaped. */
function withEscapes(json: string): string {
  let isInString = false;
  return json.replace(JSON_MARK, (mark) => {
    if (mark === '"') isInString = !isInString;
    const isControl = mark.length === 1 && mark !== '"';
    return isInString && isControl ? `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}` : mark;
  });
}

function readForm(text: string): JsonObject | undefined {
  if (!FORM_START.test(text)) return undefined;
  const pairs = text.split('&').filter((pair) => {
    const [name = '', value = ''] = splitPair(pair);
    return !STRICT_FIELDS.has(name) || FORM_VALUE.test(value.trim());
  });
  return pairs.length === 0 ? undefined : Object.fromEntries(new URLSearchParams(pairs.join('&')));
}

function splitPair(pair: string): string[] {
  const at = pair.indexOf('=');
  return at < 0 ? [pair] : [pair.slice(0, at), pair.slice(at + 1)];
}

function isShallow(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((nested) => isShallow(nested, levels - 1));
}
