import type { Json } from '#contract';
import { ServiceError } from '../errors.ts';
import { giveTurn } from '../kit/give-turn.ts';

/** Far above what providers send, far below what would exhaust the stack of whoever walks through it. */
const MAX_DEPTH = 200;
/** Members and items: each costs far more memory than its bytes. */
const MAX_VALUES = 100_000;
/** Of a form, which plugins take apart. */
const MAX_FIELDS = 10_000;

/** Bytes looked at before others have their turn. */
const AT_ONCE = 64 * 1024;

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
 * To be awaited before a body is read.
 *
 * @throws ServiceError `webhook_invalid_payload` for what would cost too much to read
 */
export async function checkCost(bytes: Buffer, contentType: string): Promise<void> {
  if (isForm(contentType) ? !hasManyFields(bytes) : !(await isTooDear(bytes))) return;
  const limits = `${MAX_VALUES} members and items, nested ${MAX_DEPTH} levels deep, or ${MAX_FIELDS} fields of a form`;
  throw new ServiceError('webhook_invalid_payload', `the body may hold ${limits}`);
}

/** What a body says: JSON as it is, anything else as `{raw: text}`. */
export function readPayload(bytes: Buffer, contentType: string): Json {
  const text = bytes.toString('utf8');
  return isForm(contentType) ? { raw: text } : (parsed(text) ?? { raw: text });
}

function isForm(contentType: string): boolean {
  return FORM_TYPE.test(contentType);
}

/** A payload whose text is `null` says nothing that `raw` would not. */
function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

interface Counted {
  depth: number;
  values: number;
  /** What comes next belongs to a text. */
  isText: boolean;
  isEscaped: boolean;
}

/** Looks at the bytes before the parser does, some at a time. Only what begins as a list or an object can hold much. */
async function isTooDear(bytes: Buffer): Promise<boolean> {
  if (!MAY_HOLD_MUCH.test(bytes.toString('latin1', 0, LOOKED_AT))) return false;
  const counted: Counted = { depth: 0, values: 0, isText: false, isEscaped: false };
  for (let at = 0; at < bytes.length; at += AT_ONCE) {
    if (isTooMuch(bytes.subarray(at, at + AT_ONCE), counted)) return true;
    await giveTurn(bytes.length);
  }
  return false;
}

/** Counts further, up to the first that is too many. */
function isTooMuch(bytes: Buffer, counted: Counted): boolean {
  let { depth, values, isText, isEscaped } = counted;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (isText) {
      if (isEscaped) isEscaped = false;
      else if (byte === BACKSLASH) isEscaped = true;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) {
      isText = true;
    } else if (byte === COMMA) {
      values += 1;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      values += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      depth -= 1;
    }
  }
  Object.assign(counted, { depth, values, isText, isEscaped });
  return values >= MAX_VALUES;
}

function hasManyFields(bytes: Buffer): boolean {
  let fields = 1;
  for (let at = bytes.indexOf(AMPERSAND); at !== -1 && fields <= MAX_FIELDS; at = bytes.indexOf(AMPERSAND, at + 1)) fields += 1;
  return fields > MAX_FIELDS;
}
