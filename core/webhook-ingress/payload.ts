import type { Json } from '#contract';
import { ServiceError } from '../errors.ts';
import { ValueCounter } from '../kit/count-values.ts';
import { giveTurn } from '../kit/give-turn.ts';

/** Far above what providers send, far below what would exhaust the stack of whoever walks through it. */
const MAX_DEPTH = 200;
/** Members and items: each costs far more memory than its bytes. */
const MAX_VALUES = 1_000_000;
/** Of a form, which plugins take apart. */
const MAX_FIELDS = 10_000;

/** Bytes looked at before others have their turn. */
const AT_ONCE = 64 * 1024;

const AMPERSAND = 0x26;
/** A parser skips white space; more of it than this stands before no JSON that anybody sends. */
const LOOKED_AT = 1_024;
const MAY_HOLD_MUCH = /^[ \t\r\n]*(?:[[{]|$)/;
const FORM_TYPE = /^application\/x-www-form-urlencoded\b/i;

/** What a body says. */
export interface ReadBody {
  /** JSON as it is, also `null`; other text as `{raw}`, bytes that are no text as `{raw, encoding: "base64"}`. */
  readonly payload: Json;
  /** The JSON as it came, where the body is JSON. */
  readonly json?: string | undefined;
}

/**
 * To be awaited before a body's text is parsed.
 *
 * @throws ServiceError `webhook_invalid_payload` for what would cost too much to read
 */
export async function checkCost(text: string, contentType: string): Promise<void> {
  const bytes = Buffer.from(text);
  if (isForm(contentType) ? !hasManyFields(bytes) : !(await isTooDear(bytes))) return;
  const limits = `${MAX_VALUES} members and items, nested ${MAX_DEPTH} levels deep, or ${MAX_FIELDS} fields of a form`;
  throw new ServiceError('webhook_invalid_payload', `the body may hold ${limits}`);
}

/** @param text of the bytes; undefined: they are none */
export function readPayload(bytes: Buffer, text: string | undefined, contentType: string): ReadBody {
  if (text === undefined) return { payload: { raw: bytes.toString('base64'), encoding: 'base64' } };
  const payload = isForm(contentType) ? undefined : parseJson(text);
  return payload === undefined ? { payload: { raw: text } } : { payload, json: text };
}

function isForm(contentType: string): boolean {
  return FORM_TYPE.test(contentType);
}

/** @returns undefined for what is no JSON */
function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Looks at the bytes before the parser does, some at a time. Only what begins as a list or an object can hold much. */
async function isTooDear(bytes: Buffer): Promise<boolean> {
  if (!MAY_HOLD_MUCH.test(bytes.toString('latin1', 0, LOOKED_AT))) return false;
  const counter = new ValueCounter();
  for (let at = 0; at < bytes.length; at += AT_ONCE) {
    counter.add(bytes.subarray(at, at + AT_ONCE));
    if (counter.values > MAX_VALUES || counter.maxDepth > MAX_DEPTH) return true;
    await giveTurn(bytes.length);
  }
  return false;
}

function hasManyFields(bytes: Buffer): boolean {
  let fields = 1;
  for (let at = bytes.indexOf(AMPERSAND); at !== -1 && fields <= MAX_FIELDS; at = bytes.indexOf(AMPERSAND, at + 1)) fields += 1;
  return fields > MAX_FIELDS;
}
