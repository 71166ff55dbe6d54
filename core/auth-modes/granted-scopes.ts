import { isObject } from '#contract';
import type { StoredCredentials } from './auth-mode.ts';
import { tokenSet } from './token-set.ts';

/**
 * Returns the scopes that the provider reported as granted; null if it reported none. RFC 6749 §5.1 separates them by spaces; some
 * providers use commas.
 */
export function grantedScopes(credentials: StoredCredentials): string[] | null {
  const { raw } = tokenSet(credentials);
  const granted = isObject(raw) ? raw['scope'] : undefined;
  return typeof granted === 'string' ? granted.split(/[\s,]+/).filter((scope) => scope !== '') : null;
}
