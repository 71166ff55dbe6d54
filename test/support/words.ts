/** Texts that are separated by white space in a template; a backslash stands for itself. */
export function words(template: TemplateStringsArray, ...values: readonly unknown[]): readonly string[] {
  return String.raw(template, ...values)
    .trim()
    .split(/\s+/);
}
