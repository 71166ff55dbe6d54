/** Returns the words of a template, separated at white space. A backslash has no special meaning. */
export function words(template: TemplateStringsArray, ...values: readonly unknown[]): readonly string[] {
  return String.raw(template, ...values)
    .trim()
    .split(/\s+/);
}
