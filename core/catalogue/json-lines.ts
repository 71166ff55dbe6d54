const BLANK = /[ \t\r\n]*/y;
const STRING = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;
const LITERAL = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const MAX_DEPTH = 32;

type Path = readonly (string | number)[];

/** A text that is not JSON, or names a member twice. */
export class JsonFault extends Error {
  override readonly name = 'JsonFault';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/**
 * Where each member of a JSON text stands. `JSON.parse` tells no positions of members, and those of faults only sometimes.
 *
 * @returns a function that gives the line (from 1) of the member at a path, or of the nearest member around it
 * @throws JsonFault
 */
export function locateMembers(text: string): (path: Path) => number {
  const lines = new Map<string, number>();
  new Walk(text, lines).whole();
  return (path) => {
    for (let length = path.length; length > 0; length--) {
      const line = lines.get(keyOf(path.slice(0, length)));
      if (line !== undefined) return line;
    }
    return 1;
  };
}

function keyOf(path: Path): string {
  return JSON.stringify(path.map(String));
}

/** Reads the text once, from left to right (RFC 8259). */
class Walk {
  readonly #text: string;
  readonly #lines: Map<string, number>;
  #at = 0;

  constructor(text: string, lines: Map<string, number>) {
    this.#text = text;
    this.#lines = lines;
  }

  whole(): void {
    this.#value([]);
    if (this.#at < this.#text.length) this.#fail('text after the end of the object');
  }

  #value(path: Path): void {
    if (path.length > MAX_DEPTH) this.#fail('nested too deeply');
    this.#take(BLANK);
    if (this.#skip('{')) this.#list('}', () => this.#member(path));
    else if (this.#skip('[')) this.#items(path);
    else if (this.#take(STRING) === undefined && this.#take(LITERAL) === undefined) this.#fail();
    this.#take(BLANK);
  }

  #items(path: Path): void {
    let index = 0;
    this.#list(']', () => {
      this.#note([...path, index]);
      this.#value([...path, index++]);
    });
  }

  #member(path: Path): void {
    const start = this.#at;
    const name = this.#take(STRING) ?? this.#fail();
    const member = [...path, String(JSON.parse(name))];
    if (this.#lines.has(keyOf(member))) this.#fail(`the member ${name} stands here twice`, start);
    this.#note(member, start);
    this.#take(BLANK);
    if (!this.#skip(':')) this.#fail();
    this.#value(member);
  }

  #list(end: string, entry: () => void): void {
    this.#take(BLANK);
    if (this.#skip(end)) return;
    do {
      this.#take(BLANK);
      entry();
      this.#take(BLANK);
    } while (this.#skip(','));
    if (!this.#skip(end)) this.#fail();
  }

  #take(token: RegExp): string | undefined {
    token.lastIndex = this.#at;
    const found = token.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #skip(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  #note(path: Path, at = this.#at): void {
    this.#lines.set(keyOf(path), this.#lineAt(at));
  }

  #lineAt(at: number): number {
    return this.#text.slice(0, at).split('\n').length;
  }

  #fail(message?: string, at = this.#at): never {
    const found = this.#text[at] === undefined ? 'unexpected end of the file' : `unexpected ${JSON.stringify(this.#text[at])}`;
    throw new JsonFault(this.#lineAt(at), message ?? `is not JSON: ${found}`);
  }
}
