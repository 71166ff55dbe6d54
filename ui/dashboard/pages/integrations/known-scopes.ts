import type { Provider } from './app-form.ts';
import { t } from './texts.ts';

/** What a definition says of a scope. */
export interface Scope {
  readonly name: string;
  readonly description?: string;
  /** The provider reviews apps that ask for it. */
  readonly sensitive?: boolean;
}

/** @param member of the definition: names, or objects with more */
export function scopesOf(provider: Provider, member: 'available_scopes' | 'default_scopes'): readonly Scope[] {
  const listed = provider[member];
  if (!Array.isArray(listed)) return [];
  return listed.map((scope: string | Scope) => (typeof scope === 'string' ? { name: scope } : scope));
}

/** In a sentence. */
export function listOf(scopes: readonly string[] = []): string {
  return scopes.join(', ') || t('scopes_default');
}
