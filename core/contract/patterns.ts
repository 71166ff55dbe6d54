/** A group's repetition, e.g. `)*`, `)+`, `){2,}`; `?` and `{0,1}` do not repeat. */
const REPETITION = /^(?:[*+]|\{\d+(?:,\d*)?\})/;

/** Compiles a form field's pattern so that it must match the whole value, anchored or not. @throws SyntaxError */
export function compilePattern(source: string): RegExp {
  return new RegExp(`^(?:${source})$`, 'u');
}

/**
 * Says what makes a pattern unfit: it does not compile, or it may run for ever on a hostile value. Stricter than needed: a
 * repeated group must neither hold a repetition nor a choice, and back-references are refused, so that what is left backtracks
 * at most polynomially on values of bounded length.
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
  return repeatsRepetition(bare) ? 'must not repeat a group that itself holds a repetition or a choice' : undefined;
}

/** `bare` has neither escapes nor classes, so every bracket and star in it is syntax. */
function repeatsRepetition(bare: string): boolean {
  const open: { isRisky: boolean }[] = [{ isRisky: false }];
  for (let at = 0; at < bare.length; at++) {
    const char = bare[at];
    const repeated = REPETITION.test(bare.slice(char === ')' ? at + 1 : at));
    if (char === '(') open.push({ isRisky: false });
    else if (char === ')') {
      const closed = open.pop();
      if (repeated && closed?.isRisky) return true;
      if (closed?.isRisky) markRisky(open);
    } else if (repeated || char === '|') markRisky(open);
  }
  return false;
}

function markRisky(open: { isRisky: boolean }[]): void {
  const innermost = open.at(-1);
  if (innermost !== undefined) innermost.isRisky = true;
}
