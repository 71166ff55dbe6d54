declare global {
  // The ECMA-262 proposal "JSON.parse source text access"; missing in older browsers.
  interface JSON {
    rawJSON?(text: string): unknown;
    isRawJSON?(value: unknown): boolean;
  }
}

/** The type that the caller expects; not checked, as with `JSON.parse`. */
type Parsed = ReturnType<typeof JSON.parse>;
type Reviver = (this: unknown, name: string, value: unknown, context: { readonly source?: string }) => unknown;

const parseWithSource = JSON.parse as (text: string, reviver: Reviver) => Parsed;

/**
 * Matches a JSON text that may contain a number which JavaScript cannot represent exactly: where a number can begin in JSON, 16
 * digits in a row (a decimal point between them is not counted) or an exponent. Rarely, it also matches because of a string. That
 * does no harm, but parsing exactly takes twelve times as long as `JSON.parse` alone.
 */
const MAY_BE_INEXACT = /(?:^|[:,[\s])-?(?:(?:\d\.?){16}|\d+(?:\.\d+)?[eE])/;
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** Maximum number of digits of an integer that is written out: one with an exponent could have billions. */
const MAX_WRITTEN_OUT = 5_000;
/** Maximum number of digits of a number in `jsonb`, before and after the decimal point (PostgreSQL documentation, 8.1). */
const POSTGRES = { before: 131_072, after: 16_383 };

/**
 * A number of JSON that no number of JavaScript represents exactly: an integer beyond 2^53, or a number with more digits than
 * fit. As a string, for templates, IDs and names, an integer is written in digits; in JSON, the number is written as it was read.
 */
export class ExactNumber {
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  get isInteger(): boolean {
    return decimalOf(this.#source).exponent >= 0;
  }

  /** True if `jsonb` can hold the number. */
  get fitsPostgres(): boolean {
    const { digits, exponent, places } = decimalOf(this.#source);
    return Number.isFinite(Number(this.#source)) && digits.length + exponent <= POSTGRES.before && places <= POSTGRES.after;
  }

  /** A text that is the same for all spellings of a value. */
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
 * Parses JSON that the service has not written itself: numbers that JavaScript would change become `ExactNumber`s. In engines
 * without access to the source text, such as older browsers, it does the same as `JSON.parse`.
 */
export function parseJson(text: string): Parsed {
  const canKeep = JSON.rawJSON !== undefined && MAY_BE_INEXACT.test(text);
  if (!canKeep) return JSON.parse(text);
  return parseWithSource(text, (_name, value, { source }) =>
    typeof value === 'number' && source !== undefined ? numberOf(source) : value,
  );
}

/**
 * Returns a number of JavaScript if that keeps the value exactly, otherwise an `ExactNumber`.
 *
 * @param source a number as JSON writes it
 */
export function numberOf(source: string): number | ExactNumber {
  const value = Number(source);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return new ExactNumber(source);
  return isSameValue(source, String(value)) ? value : new ExactNumber(source);
}

/** Returns a deep copy of JSON values and dates. `structuredClone` would lose exact numbers. */
export function copyJson<T>(value: T): T {
  return copied(value, (number) => number) as T;
}

/**
 * Returns a copy for readers that do not know `ExactNumber`, such as scripts: an integer becomes a string of its digits, any
 * other exact number a JavaScript number.
 */
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
  /** The digits, without leading and trailing zeros. */
  readonly digits: string;
  /** The power of ten by which the digits, as an integer, are multiplied. */
  readonly exponent: number;
  /** Number of digits after the decimal point, including trailing zeros. */
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
  // Zero has no digits left, and its sign does not count.
  if (digits === '') return { sign: '', digits, exponent: 0, places };
  return { sign, digits, exponent: Number(power) - fraction.length + (all.length - end), places };
}

function isSameValue(one: string, other: string): boolean {
  const [a, b] = [decimalOf(one), decimalOf(other)];
  return a.digits === b.digits && a.exponent === b.exponent && a.sign === b.sign;
}
