/**
 * Maximum length of the value of a field with a pattern. The time to match an accepted pattern grows at most with the square of
 * this length.
 */
export const MAX_PATTERN_CHARACTERS = 255;

/**
 * Compiles a form field's pattern so that it must match the whole value, anchored or not.
 *
 * @throws SyntaxError if the pattern is not a regular expression
 */
export function compilePattern(source: string): RegExp {
  return new RegExp(`^(?:${source})$`, 'u');
}
