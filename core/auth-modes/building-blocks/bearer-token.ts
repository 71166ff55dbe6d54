import { placeholdersOf, type TemplateValues } from '../../kit/template.ts';
import type { SigningInput } from '../auth-mode.ts';

/** Returns the `Authorization` header of a bearer token (RFC 6750 §2.1), or no header if there is no token. */
export function bearer(token: string | undefined): Readonly<Record<string, string>> {
  return token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` };
}

/** Returns the values for `${accessToken}` and `${credentials.token}`, or no values if there is no token. */
export function tokenValues(token: string | undefined): Readonly<Record<string, string>> {
  return token === undefined ? {} : { accessToken: token, 'credentials.token': token };
}

/**
 * Returns the `Authorization` header of a bearer token, unless the definition places one of `values` in a header, the query or
 * the base URL.
 */
export function bearerUnlessPlaced(
  token: string | undefined,
  values: TemplateValues,
  { proxy }: SigningInput['definition'],
): Readonly<Record<string, string>> {
  const { base_url, headers, query } = proxy ?? {};
  const used = placeholdersOf(JSON.stringify({ base_url, headers, query }));
  return used.some((name) => Object.hasOwn(values, name)) ? {} : bearer(token);
}
