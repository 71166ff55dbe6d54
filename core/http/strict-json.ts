import { ServiceError } from '../errors.ts';
import { MAX_DEPTH, parseHarmless, REFUSED_NAMES } from '../kit/harmless-json.ts';

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259 §7 forbids them unescaped
const PLAIN_TEXT = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * Reads JSON as `JSON.parse` does, but refuses what two readers could understand differently or storage cannot keep: repeated
 * names, names of the prototype, depth, numbers out of range, U+0000 and halves of surrogate pairs.
 *
 * @throws ServiceError `invalid_json` with the position and never the content; `invalid_body` with the path
 */
export function parseStrictJson(text: string): unknown {
  const harmless = parseHarmless(text);
  return harmless === undefined ? new Reader(text).document() : harmless.value;
}

/** Slower than the engine's, and knows at every place where it is. */
class Reader {
  readonly #text: string;
  readonly #path: (string | number)[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
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
    if (this.#path.length >= MAX_DEPTH) return this.#refuse('too_deep', `values may be nested ${MAX_DEPTH} levels deep`);
    return first === '{' ? this.#object() : this.#array();
  }

  #object(): unknown {
    const members: Record<string, unknown> = {};
    this.#at += 1;
    if (this.#take('}')) return members;
    do {
      this.#skipSpace();
      const name = this.#string();
      this.#path.push(name);
      if (REFUSED_NAMES.has(name)) this.#refuse('invalid_key', 'a member may not have this name');
      if (Object.hasOwn(members, name)) this.#refuse('duplicate_key', 'this member is there twice');
      if (!this.#take(':')) this.#unexpected();
      members[name] = this.#value();
      this.#path.pop();
    } while (this.#take(','));
    return this.#take('}') ? members : this.#unexpected();
  }

  #array(): unknown {
    const items: unknown[] = [];
    this.#at += 1;
    if (this.#take(']')) return items;
    do {
      this.#path.push(items.length);
      items.push(this.#value());
      this.#path.pop();
    } while (this.#take(','));
    return this.#take(']') ? items : this.#unexpected();
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
    // PostgreSQL keeps neither, in text or in jsonb.
    if (text.includes('\0') || !text.isWellFormed())
      this.#refuse('invalid_characters', 'a text may hold no U+0000 and no half of a surrogate pair');
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
    const value = Number(digits);
    return Number.isFinite(value) ? value : this.#refuse('too_big', 'a number is out of range');
  }

  #take(character: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  /** By hand: a pattern for each space that may be there would be the dearest part of reading. */
  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at += 1;
    }
  }

  /** Moves past what the sticky pattern finds here. */
  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #unexpected(): never {
    const what = this.#at < this.#text.length ? 'an unexpected character' : 'an unexpected end';
    throw new ServiceError('invalid_json', `the body is not valid JSON: ${what} at position ${this.#at}`);
  }

  #refuse(code: string, message: string): never {
    const details = [{ code, message, path: this.#path.map(String) }];
    throw new ServiceError('invalid_body', 'the body is not acceptable', { details });
  }
}
