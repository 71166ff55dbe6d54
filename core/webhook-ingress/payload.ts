import type { Json } from '#contract';
import { ServiceError } from '../errors.ts';

/** Far above what providers send, far below what would exhaust the stack of whoever walks through it. */
const MAX_DEPTH = 200;
/** Members and items: each costs far more memory than its bytes. */
const MAX_VALUES = 100_000;
/** Of a form, which plugins take apart. */
const MAX_FIELDS = 10_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const AMPERSAND = 0x26;
/** A parser skips white space; more of it than this stands before no JSON that anybody sends. */
const LOOKED_AT = 1_024;
const MAY_HOLD_MUCH = /^[ \t\r\n]*(?:[[{]|$)/;
const FORM_TYPE = /^application\/x-www-form-urlencoded\b/i;

/**
 * What a body says: JSON as it is, anything else as `{raw: text}`.
 *
 * @throws ServiceError `webhook_invalid_payload` for what would cost too much to read
 */
export function readPayload(bytes: Buffer, contentType: string): Json {
  const isForm = FORM_TYPE.test(contentType);
  if (isForm ? countOf(bytes, AMPERSAND) >= MAX_FIELDS : isTooDear(bytes)) throw tooDear();
  const text = bytes.toString('utf8');
  return isForm ? { raw: text } : (parsed(text) ?? { raw: text });
}

/** A payload whose text is `null` says nothing that `raw` would not. */
function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Looks at the bytes before the parser does. Only what begins as a list or an object can hold much. */
function isTooDear(bytes: Buffer): boolean {
  if (!MAY_HOLD_MUCH.test(bytes.toString('latin1', 0, LOOKED_AT))) return false;
  let depth = 0;
  let values = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfText(bytes, at);
    } else if (byte === COMMA) {
      values += 1;
      if (values >= MAX_VALUES) return true;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      values += 1;
      if (depth > MAX_DEPTH || values >= MAX_VALUES) return true;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      depth -= 1;
    }
  }
  return false;
}

/** Where the text that begins at a quote ends; the last byte when it does not. */
function endOfText(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    if (bytes[at] === BACKSLASH) at += 1;
    else if (bytes[at] === QUOTE) return at;
  }
  return bytes.length;
}

function countOf(bytes: Buffer, wanted: number): number {
  let count = 0;
  for (const byte of bytes) if (byte === wanted) count += 1;
  return count;
}

function tooDear(): ServiceError {
  const limits = `${MAX_VALUES} members and items, nested ${MAX_DEPTH} levels deep, or ${MAX_FIELDS} fields of a form`;
  return new ServiceError('webhook_invalid_payload', `the body may hold ${limits}`);
}
