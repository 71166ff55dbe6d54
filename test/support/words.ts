/** Returns the words of a template, which white space separates. A backslash has no special meaning. */
export function words(template: TemplateStringsArray, ...values: readonly unknown[]): readonly string[] {
  return String.raw(template, ...values)
    .trim()
    .split(/\s+/);
}
