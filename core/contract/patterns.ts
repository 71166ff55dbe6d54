import { compilePattern } from './compile-pattern.ts';
import { type PatternPath, type PatternStep, pathsOf } from './pattern-paths.ts';

/** Matches the repetition of a group, e.g. `)*`, `)+`, `){2,}`; `?` and `{0,1}` do not repeat. */
const REPETITION = /^(?:[*+]|\{\d+(?:,\d*)?\})/;
const OPTIONAL = /^(?:\?|\{0,1\})/;

/**
 * Returns why a pattern is rejected: it does not compile, or matching a hostile value may take forever; undefined if it is
 * accepted. The rules are stricter than necessary: a repeated group holds neither a repetition nor an alternative, there are no
 * back-references, and of two repetitions of the same characters only one can match them at any place. So an accepted pattern
 * does not try the same text again and again.
 */
export function findRunawayPattern(source: string): string | undefined {
  try {
    compilePattern(source);
  } catch {
    return 'is not a regular expression (flag `u`)';
  }
  const bare = source
    .replace(/\\[1-9k]/g, '\u0001')
    .replace(/\\./g, 'a')
    .replace(/\[[^\]]*(?:\]|$)/g, 'a');
  if (bare.includes('\u0001')) return 'must not use back-references';
  if (repeatsRepetition(bare)) return 'must not repeat a group that itself contains a repetition or an alternative';
  const paths = pathsOf(source);
  if (paths === undefined) return 'must not contain so many alternatives: more than 64 paths lead through it';
  const hasNeighbours = paths.some(repeatsSameCharacters);
  return hasNeighbours ? 'must not repeat the same characters twice in a row, as in `a+a+`' : undefined;
}

/** Returns whether two repetitions may both match the same characters, with no required step between them that keeps them apart. */
function repeatsSameCharacters(path: PatternPath): boolean {
  return path.some((first, at) => {
    if (!first.isRepetition) return false;
    return path.some((second, end) => {
      if (end <= at || !second.isRepetition || areDisjoint(first, second)) return false;
      const between = path.slice(at + 1, end);
      return !between.some((step) => step.isRequired && (areDisjoint(step, first) || areDisjoint(step, second)));
    });
  });
}

function areDisjoint(one: PatternStep, other: PatternStep): boolean {
  for (const character of one.characters) if (other.characters.has(character)) return false;
  return true;
}

/**
 * Returns whether a repeated group holds a repetition or an alternative. `bare` has neither escapes nor classes, so every bracket
 * and star in it is syntax.
 */
function repeatsRepetition(bare: string): boolean {
  const open: { isRisky: boolean }[] = [{ isRisky: false }];
  for (let at = 0; at < bare.length; at++) {
    const char = bare[at];
    const rest = bare.slice(char === ')' ? at + 1 : at);
    // A `?` after an opening bracket only says what kind of group it is.
    const isOptional = OPTIONAL.test(rest) && !(char === '?' && bare[at - 1] === '(');
    const isRepeated = REPETITION.test(rest) && !isOptional;
    if (char === '(') open.push({ isRisky: false });
    else if (char === ')') {
      const isRisky = open.pop()?.isRisky === true;
      if (isRepeated && isRisky) return true;
      if (isRepeated || isOptional || isRisky) markRisky(open);
    } else if (isRepeated || isOptional || char === '|') markRisky(open);
  }
  return false;
}

function markRisky(open: { isRisky: boolean }[]): void {
  const innermost = open.at(-1);
  if (innermost !== undefined) innermost.isRisky = true;
}
