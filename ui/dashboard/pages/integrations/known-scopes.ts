import type { Provider } from './app-form.ts';
import { t } from './texts.ts';

/** A scope in a provider's definition. */
export interface Scope {
  readonly name: string;
  readonly description?: string;
  /** True when the provider reviews apps that ask for the scope. */
  readonly sensitive?: boolean;
}

/** Returns the scopes in a definition. @param member the property of the definition that lists them, by name or as objects */
export function scopesOf(provider: Provider, member: 'available_scopes' | 'default_scopes'): readonly Scope[] {
  const listed = provider[member];
  if (!Array.isArray(listed)) return [];
  return listed.map((scope: string | Scope) => (typeof scope === 'string' ? { name: scope } : scope));
}

/** Returns the scopes as part of a sentence. */
export function listOf(scopes: readonly string[] = []): string {
  return scopes.join(', ') || t('scopes_default');
}
