/** One step of a pattern: a class of characters and how often it may occur. */
export interface PatternStep {
  /** The characters of the sample that the step matches. */
  readonly characters: ReadonlySet<string>;
  readonly isRequired: boolean;
  /** True if the step may match texts of several lengths. */
  readonly isRepetition: boolean;
}

/** One way through a pattern, as its steps in order. */
export type PatternPath = readonly PatternStep[];

interface Quantifier {
  readonly min: number;
  readonly max: number;
  readonly length: number;
}

const MAX_PATHS = 64;
/**
 * The characters by which classes are compared: Latin-1, and every 263rd character of the rest of Unicode, which is enough to
 * distinguish scripts and categories.
 */
const SAMPLE = Array.from({ length: 4_400 }, (_, at) => (at < 0x1_00 ? at : 0x1_00 + (at - 0x1_00) * 263))
  .filter((code) => code < 0xd8_00 || code > 0xdf_ff)
  .map((code) => String.fromCodePoint(code))
  .join('');

const QUANTIFIER = /^(?:[*+?]|\{(\d{1,9})(,?)(\d{0,9})\})\??/;
const GROUP = /^\((?:\?(?:[:=!]|<[=!]|<[^>=!]+>))?/;
const ASSERTION = /^(?:\^|\$|\\[bB])/;
/** Matches a character that stands for itself; most atoms do, and need not be matched against the sample. */
const LITERAL = /^(?:[A-Za-z0-9 _:/@,;%&=~"'<>!#`-]|\\[./\\()[\]{}|*+?^$-])$/;
const ATOM = /^(?:\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|c[A-Za-z]|.)|\[(?:\\.|[^\]\\])*\]|[^)])/u;

/**
 * Returns every way through a pattern: one for each alternative, and for each `?` one with and one without its operand. A
 * look-around counts as its content; a repeated group counts as one step.
 *
 * @param source a valid pattern (flag `u`)
 * @returns undefined when there are more than 64
 */
export function pathsOf(source: string): readonly PatternPath[] | undefined {
  try {
    return new PatternReader(source, SAMPLE + source).choices();
  } catch (error) {
    if (error instanceof TooManyPaths) return undefined;
    throw error;
  }
}

class TooManyPaths extends Error {}

class PatternReader {
  #rest: string;
  readonly #sample: string;

  constructor(source: string, sample: string) {
    this.#rest = source;
    this.#sample = sample;
  }

  /** Reads all alternatives up to the end of the group or of the pattern. */
  choices(): PatternPath[] {
    const paths = this.#sequence();
    while (this.#rest.startsWith('|')) {
      this.#rest = this.#rest.slice(1);
      paths.push(...this.#sequence());
    }
    if (paths.length > MAX_PATHS) throw new TooManyPaths();
    return paths;
  }

  #sequence(): PatternPath[] {
    let paths: PatternPath[] = [[]];
    while (this.#rest !== '' && !/^[|)]/.test(this.#rest)) {
      const next = this.#repeated(this.#item());
      paths = paths.flatMap((path) => next.map((more) => [...path, ...more]));
      if (paths.length > MAX_PATHS) throw new TooManyPaths();
    }
    return paths;
  }

  #item(): PatternPath[] {
    const group = GROUP.exec(this.#rest)?.[0];
    if (group !== undefined) {
      this.#rest = this.#rest.slice(group.length);
      const paths = this.choices();
      this.#rest = this.#rest.slice(1);
      return paths;
    }
    const assertion = ASSERTION.exec(this.#rest)?.[0];
    const text = assertion ?? ATOM.exec(this.#rest)?.[0] ?? this.#rest.slice(0, 1);
    this.#rest = this.#rest.slice(text.length);
    if (assertion !== undefined) return [[]];
    const characters = LITERAL.test(text) ? new Set(text.slice(-1)) : new Set(this.#sample.match(new RegExp(text, 'gu')));
    return [[{ characters, isRequired: true, isRepetition: false }]];
  }

  /** Applies the quantifier that follows, if there is one. @param paths the paths of the operand before the quantifier */
  #repeated(paths: PatternPath[]): PatternPath[] {
    const quantifier = readQuantifier(this.#rest);
    if (quantifier === undefined) return paths;
    const { min, max, length } = quantifier;
    this.#rest = this.#rest.slice(length);
    if (max === 0) return [[]];
    if (max === 1) return min === 0 ? [[], ...paths] : paths;
    const steps = paths.flat();
    const [only, ...others] = steps;
    const isSingle = only !== undefined && others.length === 0;
    const characters = isSingle ? only.characters : new Set(steps.flatMap((step) => [...step.characters]));
    const isRequired = min > 0 && steps.some((step) => step.isRequired);
    return [[{ characters, isRequired, isRepetition: min !== max }]];
  }
}

function readQuantifier(rest: string): Quantifier | undefined {
  const found = QUANTIFIER.exec(rest);
  if (found === null) return undefined;
  const [{ length }, from, comma, to] = found;
  if (from === undefined)
    return { min: rest.startsWith('+') ? 1 : 0, max: rest.startsWith('?') ? 1 : Number.POSITIVE_INFINITY, length };
  const min = Number(from);
  if (comma === '') return { min, max: min, length };
  return { min, max: to === '' ? Number.POSITIVE_INFINITY : Number(to), length };
}
