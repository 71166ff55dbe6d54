declare global {
  // ECMA-262, proposal "JSON.parse source text access"; absent in older browsers.
  interface JSON {
    rawJSON?(text: string): unknown;
    isRawJSON?(value: unknown): boolean;
  }
}

/** What the caller believes it is, as with `JSON.parse`. */
type Parsed = ReturnType<typeof JSON.parse>;
type Reviver = (this: unknown, name: string, value: unknown, context: { readonly source?: string }) => unknown;

const parseWithSource = JSON.parse as (text: string, reviver: Reviver) => Parsed;

/**
 * Where there may be a number that is not exact, and hardly a text such as a UUID: at a place where JSON has numbers, 16 digits in a
 * row, a point between them not counted, or an exponent. What follows costs twelve times as much as `JSON.parse` alone.
 */
const MAY_BE_INEXACT = /(?:^|[:,[\s])-?(?:(?:\d\.?){16}|\d+(?:\.\d+)?[eE])/;
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** Digits of an integer that is written out; it could have billions. */
const MAX_WRITTEN_OUT = 5_000;
/** PostgreSQL documentation, 8.1: of a number in `jsonb`, before and after the point. */
const POSTGRES = { before: 131_072, after: 16_383 };

/**
 * A number of JSON that no number of JavaScript stands for: an integer beyond 2^53, or one with more digits than fit. As a text,
 * which templates, IDs and names use, an integer is its digits; in JSON it is what was written.
 */
export class ExactNumber {
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  get isInteger(): boolean {
    return decimalOf(this.#source).exponent >= 0;
  }

  /** Whether `jsonb` can hold it. */
  get fitsPostgres(): boolean {
    const { digits, exponent, places } = decimalOf(this.#source);
    return Number.isFinite(Number(this.#source)) && digits.length + exponent <= POSTGRES.before && places <= POSTGRES.after;
  }

  /** The same of all spellings of a value. */
  get canonical(): string {
    const { sign, digits, exponent } = decimalOf(this.#source);
    return `${sign}${digits}e${exponent}`;
  }

  toString(): string {
    const { sign, digits, exponent } = decimalOf(this.#source);
    return exponent >= 0 && digits.length + exponent <= MAX_WRITTEN_OUT ? sign + digits + '0'.repeat(exponent) : this.#source;
  }

  valueOf(): number {
    return Number(this.#source);
  }

  toJSON(): unknown {
    return JSON.rawJSON?.(this.#source);
  }
}

/**
 * `JSON.parse` for JSON that is not ours: numbers that JavaScript would change are `ExactNumber`s. Where the engine does not show
 * what was written, as in older browsers, it is `JSON.parse`.
 *
 * @throws SyntaxError
 */
export function parseJson(text: string): Parsed {
  const canKeep = JSON.rawJSON !== undefined && MAY_BE_INEXACT.test(text);
  if (!canKeep) return JSON.parse(text);
  return parseWithSource(text, (_name, value, { source }) =>
    typeof value === 'number' && source !== undefined ? numberOf(source) : value,
  );
}

/** @param source a number as JSON writes it */
export function numberOf(source: string): number | ExactNumber {
  const value = Number(source);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return new ExactNumber(source);
  return isSameValue(source, String(value)) ? value : new ExactNumber(source);
}

/** A copy of JSON values and dates that shares nothing which can be changed. `structuredClone` would lose exact numbers. */
export function copyJson<T>(value: T): T {
  return copied(value, (number) => number) as T;
}

/** A copy for readers that know no `ExactNumber`, such as scripts: of integers they get the digits as a text. */
export function copyWithTexts(value: unknown): unknown {
  return copied(value, (number) => (number.isInteger ? String(number) : Number(number)));
}

function copied(value: unknown, copyNumber: (number: ExactNumber) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => copied(item, copyNumber));
  if (value instanceof Date) return new Date(value);
  if (value instanceof ExactNumber) return copyNumber(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copied(member, copyNumber)]));
}

interface Decimal {
  readonly sign: string;
  /** Without zeros in front and at the end. */
  readonly digits: string;
  /** Of ten, by which the digits, as an integer, are multiplied. */
  readonly exponent: number;
  /** After the point, as they are written. */
  readonly places: number;
}

function decimalOf(source: string): Decimal {
  const [, sign = '', whole = '', fraction = '', power = '0'] = NUMBER.exec(source) ?? [];
  const all = whole + fraction;
  let [first, end] = [0, all.length];
  while (all[first] === '0') first += 1;
  while (end > first && all[end - 1] === '0') end -= 1;
  const digits = all.slice(first, end);
  const places = Math.max(0, fraction.length - Number(power));
  // Of zero nothing is left, and its sign does not count.
  if (digits === '') return { sign: '', digits, exponent: 0, places };
  return { sign, digits, exponent: Number(power) - fraction.length + (all.length - end), places };
}

function isSameValue(one: string, other: string): boolean {
  const [a, b] = [decimalOf(one), decimalOf(other)];
  return a.digits === b.digits && a.exponent === b.exponent && a.sign === b.sign;
}
