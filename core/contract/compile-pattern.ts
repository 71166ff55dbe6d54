/** Values of fields with a pattern are no longer; what a fit pattern costs grows with the square of it, at most. */
export const MAX_PATTERN_CHARACTERS = 255;

/** Compiles a form field's pattern so that it must match the whole value, anchored or not. @throws SyntaxError */
export function compilePattern(source: string): RegExp {
  return new RegExp(`^(?:${source})$`, 'u');
}
