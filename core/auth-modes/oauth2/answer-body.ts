import type { Json, JsonObject } from '#contract';

/** Deeper nesting than any token answer has; bounds every later walk and re-serialisation. */
const MAX_DEPTH = 16;
const FORM = /^[^\s<>{}"&=]+=[^\s<>{}"]*$/;

/** The members of an answer written as JSON (RFC 6749 §5.1) or form-encoded, as older servers do; undefined for anything else. */
export function readAnswerBody(body: Buffer): JsonObject | undefined {
  const text = decode(body)?.trim();
  if (text === undefined || text === '') return undefined;
  return text.startsWith('{') ? readJson(text) : readForm(text);
}

function decode(body: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

function readJson(text: string): JsonObject | undefined {
  try {
    const value: Json = JSON.parse(text);
    return isJsonObject(value) && isShallow(value, MAX_DEPTH) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readForm(text: string): JsonObject | undefined {
  return FORM.test(text) ? Object.fromEntries(new URLSearchParams(text)) : undefined;
}

function isJsonObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isShallow(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1));
}
