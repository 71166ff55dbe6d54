type Names = Readonly<Partial<Record<string, string>>>;

interface ParamNames {
  /** The provider's name of a standard parameter. */
  readonly names: Names | undefined;
  /** Standard names of parameters that the provider does not take. */
  readonly omitted: readonly string[] | undefined;
}

/** Parameters of RFC 6749 and RFC 7636 as the provider takes them. */
export function providerParams(
  params: Readonly<Record<string, string>>,
  { names = {}, omitted = [] }: ParamNames,
): Record<string, string> {
  const kept = Object.entries(params).filter(([name]) => !omitted.includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [names[name] ?? name, value]));
}
