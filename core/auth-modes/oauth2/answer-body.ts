import type { Json, JsonObject } from '#contract';
import { decodings } from './answer-charset.ts';

/** Deeper nesting than any token answer has; bounds every later walk and re-serialisation. */
const MAX_DEPTH = 16;
const FORM_START = /^[A-Za-z0-9_.%+-]+=/;
/** What `application/x-www-form-urlencoded` leaves unescaped, and a little more: never white space, never markup. */
const FORM_VALUE = /^[^\s<>{}"]*$/;
/** Members of RFC 6749 §5.1 and §5.2 by which something is decided: a value that was not encoded is not one of these. */
const DECISIVE = new Set(['access_token', 'refresh_token', 'expires_in', 'token_type', 'error']);
/** An escape, a delimiter of a string, or a control character. */
const JSON_MARK = /\\.|"|\p{Cc}/gu;

/**
 * The members of an answer written as JSON (RFC 6749 §5.1) or form-encoded, as older servers do; undefined for anything else. A
 * rotated refresh token exists nowhere but here, so faults beside the members that matter are tolerated: a wrong charset, raw
 * control characters inside JSON strings, raw blanks in a form.
 *
 * @param contentType the answer's header of that name
 */
export function readAnswerBody(body: Buffer, contentType?: string): JsonObject | undefined {
  for (const decoded of decodings(body, contentType)) {
    const text = decoded.trim();
    const members = text.startsWith('{') ? (readJson(text) ?? readJson(withEscapes(text))) : readForm(text);
    if (members !== undefined) return members;
  }
  return undefined;
}

function readJson(text: string): JsonObject | undefined {
  try {
    const value: Json = JSON.parse(text);
    return isJsonObject(value) && isShallow(value, MAX_DEPTH) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** RFC 8259 §7 wants control characters inside strings escaped; some servers copy a line break as it is. */
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
    return !DECISIVE.has(name) || FORM_VALUE.test(value.trim());
  });
  return pairs.length === 0 ? undefined : Object.fromEntries(new URLSearchParams(pairs.join('&')));
}

function splitPair(pair: string): string[] {
  const at = pair.indexOf('=');
  return at < 0 ? [pair] : [pair.slice(0, at), pair.slice(at + 1)];
}

function isJsonObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isShallow(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1));
}
