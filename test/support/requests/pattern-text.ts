import type { SeededRandom } from '../seeded-random.ts';

const MAX_REPEATS = 12;
const CLASSES: Readonly<Record<string, string>> = { d: '0-9', w: 'a-zA-Z0-9_', s: ' ', S: '!-~', D: 'a-z', W: '!-/' };

/**
 * Returns a text that matches a pattern of the kind that schemas use, with classes, groups, alternatives and counts. Lookarounds
 * are ignored.
 */
export function textFor(source: string, random: SeededRandom): string {
  return new PatternReader(source, random).choice();
}

/** Reads the pattern once, and chooses at random wherever the pattern allows several texts. */
class PatternReader {
  readonly #source: string;
  readonly #random: SeededRandom;
  #at = 0;

  constructor(source: string, random: SeededRandom) {
    this.#source = source;
    this.#random = random;
  }

  /** Reads alternatives up to the end, or to the parenthesis that closes the group, and returns a text for one of them. */
  choice(): string {
    const ways = [this.#sequence()];
    while (this.#source[this.#at] === '|') {
      this.#at += 1;
      ways.push(this.#sequence());
    }
    return ways[this.#random.below(ways.length)] ?? '';
  }

  #sequence(): string {
    let text = '';
    while (this.#at < this.#source.length && this.#source[this.#at] !== '|' && this.#source[this.#at] !== ')') {
      const start = this.#at;
      const first = this.#atom();
      const end = this.#at;
      const count = this.#count();
      const after = this.#at;
      for (let done = 0; done < count; done += 1) {
        this.#at = start;
        text += done === 0 ? first : this.#atom();
      }
      this.#at = Math.max(after, end);
    }
    return text;
  }

  #atom(): string {
    const character = this.#source[this.#at] ?? '';
    this.#at += 1;
    if (character === '^' || character === '$') return '';
    if (character === '.') return 'x';
    if (character === '[') return this.#class();
    if (character === '(') return this.#group();
    return character === '\\' ? this.#escape() : character;
  }

  #group(): string {
    const opening = /^\?(?:[:=!]|<[=!])/.exec(this.#source.slice(this.#at, this.#at + 3))?.[0] ?? '';
    this.#at += opening.length;
    const text = this.choice();
    this.#at += 1;
    return opening === '' || opening === '?:' ? text : '';
  }

  #escape(): string {
    const name = this.#source[this.#at] ?? '';
    this.#at += 1;
    const members = CLASSES[name];
    return members === undefined ? name : this.#oneOf(members);
  }

  #class(): string {
    const end = this.#source.slice(this.#at).search(/(?<!\\)\]/) + this.#at;
    const members = this.#source.slice(this.#at, end).replaceAll(/\\(.)/g, (_, name: string) => CLASSES[name] ?? name);
    this.#at = end + 1;
    return members.startsWith('^') ? 'x' : this.#oneOf(members);
  }

  #oneOf(members: string): string {
    const all: string[] = [];
    for (let at = 0; at < members.length; at += 1) {
      const isRange = members[at + 1] === '-' && at + 2 < members.length;
      const last = members.charCodeAt(isRange ? at + 2 : at);
      for (let code = members.charCodeAt(at); code <= last; code += 1) all.push(String.fromCharCode(code));
      if (isRange) at += 2;
    }
    return all[this.#random.below(all.length)] ?? '';
  }

  #count(): number {
    const [found, mark, least, comma, most] = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(this.#source.slice(this.#at)) ?? [];
    if (found === undefined) return 1;
    this.#at += found.length;
    const from = mark === undefined ? Number(least) : mark === '+' ? 1 : 0;
    const to = mark === '?' ? 1 : mark !== undefined ? MAX_REPEATS : comma === '' ? from : Number(most || from + MAX_REPEATS);
    return from + this.#random.below(Math.min(to, from + MAX_REPEATS) - from + 1);
  }
}
