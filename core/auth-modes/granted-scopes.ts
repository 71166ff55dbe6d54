import { isObject } from '#contract';
import type { StoredCredentials } from './auth-mode.ts';
import { tokenSet } from './token-set.ts';

/** What the provider said that it granted; null: nothing. RFC 6749 §5.1 has spaces between them; some providers have commas. */
export function grantedScopes(credentials: StoredCredentials): string[] | null {
  const { raw } = tokenSet(credentials);
  const granted = isObject(raw) ? raw['scope'] : undefined;
  return typeof granted === 'string' ? granted.split(/[\s,]+/).filter((scope) => scope !== '') : null;
}
