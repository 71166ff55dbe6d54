import type { Json } from '#contract';
import { ServiceError } from '../errors.ts';
import { countJson } from '../kit/count-json.ts';
import { parseJson } from '../kit/exact-json.ts';

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;

/** Maximum nesting: far above what providers send, far below what would exhaust the stack of recursive code. */
const MAX_DEPTH = 200;
/** Maximum number of object properties and array items: each uses far more memory than its bytes. */
const MAX_VALUES = 1_000_000;
/** Maximum number of fields of a form, which plugins parse. */
const MAX_FIELDS = 10_000;

/** Number of leading characters to examine; JSON in practice has less white space before it. */
const EXAMINED_CHARACTERS = 1_024;
const MAY_BE_LARGE = /^[ \t\r\n]*(?:[[{]|$)/;
const FORM_TYPE = /^application\/x-www-form-urlencoded\b/i;

/** The content of a body. */
export interface ReadBody {
  /** JSON as it is, also `null`; other text as `{raw}`, other bytes as `{raw, encoding: "base64"}`. */
  readonly payload: Json;
  /** The received JSON, if the body is JSON. */
  readonly json?: string | undefined;
}

/**
 * Returns the part of a body that is JSON, or may be; undefined for a form without such a part.
 *
 * @param text of the body
 * @param formField the field of a form that holds the JSON
 * @throws ServiceError `webhook_invalid_payload` for what is too expensive to parse
 */
export function jsonPart(text: string, contentType: string, formField?: string): string | undefined {
  const isOfForm = isForm(contentType);
  if (isOfForm && hasManyFields(text)) throw tooExpensive();
  const json = !isOfForm ? text : formField === undefined ? undefined : new URLSearchParams(text).get(formField);
  if (json !== undefined && json !== null && isTooExpensive(json)) throw tooExpensive();
  return json ?? undefined;
}

/**
 * Reads the content of a body.
 *
 * @param text of the bytes; undefined when they are not text
 * @param json the part of the text that may be JSON
 */
export function readPayload(bytes: Buffer, text: string | undefined, json: string | undefined): ReadBody {
  if (text === undefined) return { payload: { raw: bytes.toString('base64'), encoding: 'base64' } };
  const payload = json === undefined ? undefined : jsonOf(json);
  return payload === undefined ? { payload: { raw: text } } : { payload, json };
}

function tooExpensive(): ServiceError {
  const limits = `${MAX_VALUES} properties and items, nested ${MAX_DEPTH} levels deep, or ${MAX_FIELDS} fields of a form`;
  return new ServiceError('webhook_invalid_payload', `the body may contain at most ${limits}`);
}

function isForm(contentType: string): boolean {
  return FORM_TYPE.test(contentType);
}

/** @returns undefined if the text is not JSON */
function jsonOf(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Returns whether JSON is too expensive to parse. Only arrays and objects can be large. */
function isTooExpensive(text: string): boolean {
  if (!MAY_BE_LARGE.test(text.slice(0, EXAMINED_CHARACTERS))) return false;
  const { values, maxDepth } = countJson(text);
  return values > MAX_VALUES || maxDepth > MAX_DEPTH;
}

function hasManyFields(text: string): boolean {
  let fields = 1;
  for (let at = text.indexOf('&'); at !== -1 && fields <= MAX_FIELDS; at = text.indexOf('&', at + 1)) fields += 1;
  return fields > MAX_FIELDS;
}

/**
 * Decodes a body, without its byte order mark. Invalid bytes are not replaced: signed content must not change.
 *
 * @returns undefined if the bytes are invalid in the declared charset, by default UTF-8
 */
export function textOf(bytes: Uint8Array, contentType: string): string | undefined {
  try {
    return new TextDecoder(charsetOf(bytes, contentType), { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Returns the charset to decode with. In `utf-16` the byte order mark determines the byte order (RFC 2781 §4.3); TextDecoder
 * assumes little-endian.
 */
function charsetOf(bytes: Uint8Array, contentType: string): string {
  const charset = CHARSET.exec(contentType)?.[1]?.toLowerCase() ?? 'utf-8';
  return charset === 'utf-16' && bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : charset;
}
