import { countJson } from './count-json.ts';
import { ExactNumber, numberOf, parseJson } from './exact-json.ts';

/** Maximum nesting: far above what any endpoint accepts, far below what would exhaust the stack of a recursive walk. */
const MAX_DEPTH = 64;
/** Names through which careless code can change an object's prototype. No interface of the service uses them. */
const REFUSED_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259 §7 forbids them unescaped
const PLAIN_TEXT = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

type JsonErrorCode = 'malformed' | 'too_deep' | 'invalid_key' | 'duplicate_key' | 'invalid_characters' | 'too_big';
type JsonPath = readonly (string | number)[];

interface TextPosition {
  readonly text: string;
  readonly position: number;
  readonly path: JsonPath;
}

/** The error for JSON that is refused. The message never quotes it. */
export class JsonError extends Error {
  readonly code: JsonErrorCode;
  /** Position of the character in the text, from 0. */
  readonly position: number;
  /** Line of the character, from 1. */
  readonly line: number;
  readonly path: readonly string[];

  constructor(code: JsonErrorCode, message: string, { text, position, path }: TextPosition) {
    super(message);
    this.code = code;
    this.position = position;
    this.line = lineAt(text, position);
    this.path = path.map(String);
  }
}

/**
 * Reads JSON as `parseJson` does, but refuses what two readers could understand differently or the database cannot store:
 * repeated names, the names above, excessive depth, numbers out of range, U+0000 and halves of surrogate pairs.
 *
 * @throws JsonError
 */
export function parseStrictJson(text: string): unknown {
  const safe = parseSafeJson(text);
  return safe === undefined ? new JsonReader(text).document() : safe.value;
}

/**
 * Does the same as `parseStrictJson`, and can tell in which line a property or item is; lines are determined only on request.
 *
 * @returns `lineOf` returns the line (from 1) of the value at a path or, if there is none, of the nearest value that would
 *   contain it
 * @throws JsonError
 */
export function parseWithLines(text: string): { readonly value: unknown; readonly lineOf: (path: JsonPath) => number } {
  let positions: ReadonlyMap<string, number> | undefined;
  const lineOf = (path: JsonPath): number => {
    positions ??= positionsIn(text);
    const position = positions.get(keyOf(path));
    if (position !== undefined) return lineAt(text, position);
    return path.length === 0 ? 1 : lineOf(path.slice(0, -1));
  };
  return { value: parseStrictJson(text), lineOf };
}

function positionsIn(text: string): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  new JsonReader(text, positions).document();
  return positions;
}

/**
 * Parses JSON with the engine's parser, which is several times as fast as one in JavaScript, and checks the result.
 *
 * @returns undefined for JSON that is malformed or must be refused
 */
export function parseSafeJson(text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = parseJson(text);
    const walk: JsonCheck = { members: 0, hasEscapes: text.includes('\\u') };
    // Of several properties with the same name, the parser keeps only the last, so the value then has fewer than the text.
    return isSafe(value, 0, walk) && walk.members === countJson(text).members ? { value } : undefined;
  } catch {
    return undefined;
  }
}

interface JsonCheck {
  members: number;
  /**
   * True if the text has `\u` escapes. Without escapes, valid JSON that was decoded from UTF-8 has no string with U+0000 or half
   * of a surrogate pair.
   */
  readonly hasEscapes: boolean;
}

/**
 * Checks a value and all values within it. It uses loops, not the slower `every`, since a body may consist of a hundred thousand
 * empty lists.
 */
function isSafe(value: unknown, depth: number, walk: JsonCheck): boolean {
  if (typeof value === 'string') return isSafeString(value, walk);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (value instanceof ExactNumber) return value.fitsPostgres;
  if (depth >= MAX_DEPTH) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (!isSafe(item, depth + 1, walk)) return false;
    return true;
  }
  for (const [name, member] of Object.entries(value)) {
    walk.members += 1;
    if (REFUSED_NAMES.has(name) || !isSafeString(name, walk) || !isSafe(member, depth + 1, walk)) return false;
  }
  return true;
}

function isSafeString(text: string, { hasEscapes }: JsonCheck): boolean {
  return !hasEscapes || (text.isWellFormed() && !text.includes('\0'));
}

function keyOf(path: JsonPath): string {
  return JSON.stringify(path.map(String));
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}

/** Parses JSON (RFC 8259) and records all positions. */
class JsonReader {
  readonly #text: string;
  readonly #positions: Map<string, number> | undefined;
  readonly #path: (string | number)[] = [];
  #at = 0;

  /** @param positions receives the positions of all properties and items, by path */
  constructor(text: string, positions?: Map<string, number>) {
    this.#text = text;
    this.#positions = positions;
  }

  document(): unknown {
    const value = this.#value();
    this.#skipSpace();
    return this.#at === this.#text.length ? value : this.#unexpected();
  }

  #value(): unknown {
    this.#skipSpace();
    const first = this.#text[this.#at];
    if (first === '"') return this.#string();
    if (first !== '{' && first !== '[') return this.#literal();
    if (this.#path.length >= MAX_DEPTH) return this.#refuse('too_deep', `values may be nested at most ${MAX_DEPTH} levels deep`);
    return first === '{' ? this.#object() : this.#array();
  }

  #object(): unknown {
    const members: Record<string, unknown> = {};
    this.#at += 1;
    if (this.#accept('}')) return members;
    do {
      this.#skipSpace();
      const start = this.#at;
      const name = this.#string();
      this.#path.push(name);
      if (REFUSED_NAMES.has(name)) this.#refuse('invalid_key', 'a property may not have this name');
      if (Object.hasOwn(members, name)) this.#refuse('duplicate_key', 'this property is repeated', start);
      this.#positions?.set(keyOf(this.#path), start);
      if (!this.#accept(':')) this.#unexpected();
      members[name] = this.#value();
      this.#path.pop();
    } while (this.#accept(','));
    return this.#accept('}') ? members : this.#unexpected();
  }

  #array(): unknown {
    const items: unknown[] = [];
    this.#at += 1;
    if (this.#accept(']')) return items;
    do {
      this.#path.push(items.length);
      this.#skipSpace();
      this.#positions?.set(keyOf(this.#path), this.#at);
      items.push(this.#value());
      this.#path.pop();
    } while (this.#accept(','));
    return this.#accept(']') ? items : this.#unexpected();
  }

  #string(): string {
    const start = this.#at;
    if (this.#text[start] !== '"') return this.#unexpected();
    this.#at += 1;
    this.#match(PLAIN_TEXT);
    let escaped = false;
    while (this.#text[this.#at] === '\\') {
      if (this.#match(ESCAPE) === '') this.#unexpected();
      this.#match(PLAIN_TEXT);
      escaped = true;
    }
    if (this.#text[this.#at] !== '"') this.#unexpected();
    this.#at += 1;
    return escaped ? this.#unescape(this.#text.slice(start, this.#at)) : this.#text.slice(start + 1, this.#at - 1);
  }

  #unescape(quoted: string): string {
    const text = String(JSON.parse(quoted));
    // PostgreSQL can store neither of them, as `text` or in `jsonb`.
    if (text.includes('\0') || !text.isWellFormed())
      this.#refuse('invalid_characters', 'a string must not contain U+0000 or an unpaired surrogate');
    return text;
  }

  #literal(): unknown {
    for (const [word, value] of WORDS) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return value;
    }
    const digits = this.#match(NUMBER);
    if (digits === '') return this.#unexpected();
    const number = numberOf(digits);
    const fits = typeof number === 'number' || number.fitsPostgres;
    return fits ? number : this.#refuse('too_big', 'a number is out of range');
  }

  #accept(character: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  /**
   * Skips white space. It uses no regular expression, because matching one wherever white space may occur would be the most
   * expensive part of reading.
   */
  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at += 1;
    }
  }

  /** Moves past the text that the sticky pattern matches here, and returns it. */
  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #unexpected(): never {
    const what = this.#at < this.#text.length ? 'an unexpected character' : 'an unexpected end';
    return this.#refuse('malformed', what);
  }

  #refuse(code: JsonErrorCode, message: string, position = this.#at): never {
    throw new JsonError(code, message, { text: this.#text, position, path: this.#path });
  }
}
