/**
 * Maximum length of the value of a field with a pattern: the cost of matching an accepted pattern grows with its square at
 * most.
 */
export const MAX_PATTERN_CHARACTERS = 255;

/** Compiles a form field's pattern so that it must match the whole value, anchored or not. @throws SyntaxError */
export function compilePattern(source: string): RegExp {
  return new RegExp(`^(?:${source})$`, 'u');
}
