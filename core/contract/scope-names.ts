import type { ProviderDefinition } from './provider.ts';

type Scopes = ProviderDefinition['available_scopes'];

/** Returns the names of scopes as a request lists them, whether a definition describes the scopes or not. */
export function scopeNames(scopes: Scopes = []): string[] {
  return scopes.map((scope) => (typeof scope === 'string' ? scope : scope.name));
}
