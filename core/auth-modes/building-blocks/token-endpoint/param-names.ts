type Names = Readonly<Partial<Record<string, string>>>;

interface ParamNames {
  /** The provider's names for standard parameters. */
  readonly names: Names | undefined;
  /** The standard names of parameters that must not be sent to the provider. */
  readonly omitted: readonly string[] | undefined;
}

/** Renames and omits parameters of RFC 6749 and RFC 7636 as the provider requires. */
export function providerParams(
  params: Readonly<Record<string, string>>,
  { names = {}, omitted = [] }: ParamNames,
): Record<string, string> {
  const kept = Object.entries(params).filter(([name]) => !omitted.includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [names[name] ?? name, value]));
}
