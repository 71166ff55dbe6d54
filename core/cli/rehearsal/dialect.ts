import type { ProviderDefinition } from '#contract';

/** The deviations of a provider from the names of RFC 6749, as declared in its definition. */
export type Dialect = Pick<
  ProviderDefinition,
  | 'authorization_param_names'
  | 'token_param_names'
  | 'omit_params'
  | 'callback_code_param'
  | 'token_request_method'
  | 'token_response'
>;

type Params = Readonly<Record<string, string>>;

/**
 * Returns parameters under their standard names.
 *
 * @returns undefined if a parameter has a standard name that the provider renames, or is one that the provider omits
 */
export function standardParams(
  params: Params,
  names: Readonly<Partial<Record<string, string>>> = {},
  omitted: readonly string[] = [],
): Params | undefined {
  if (Object.keys(params).some((name) => names[name] !== undefined || omitted.includes(name))) return undefined;
  const standard = new Map(Object.entries(names).map(([name, own]) => [own, name]));
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [standard.get(name) ?? name, value]));
}

/** Returns the fields of a token response, placed at the paths where the provider sends them. */
export function placedMembers(members: Readonly<Record<string, unknown>>, { token_response: paths }: Dialect) {
  if (paths === undefined) return members;
  const { access_token, refresh_token, expires_in, ...others } = members;
  const placed: Record<string, unknown> = { ...others };
  for (const [path, value] of [
    [paths.token, access_token],
    [paths.refresh_token, refresh_token],
    [paths.token_expiration, expires_in],
  ] as const)
    if (path !== undefined) place(placed, path.split('.'), value);
  return placed;
}

function place(into: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) into[name] = value;
  else {
    const nested = { ...(into[name] as object) };
    place(nested, rest, value);
    into[name] = nested;
  }
}
