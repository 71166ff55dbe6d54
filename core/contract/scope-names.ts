import type { ProviderDefinition } from './provider.ts';

type Scopes = ProviderDefinition['available_scopes'];

/** Scopes as a request names them, whether a definition describes them or not. */
export function scopeNames(scopes: Scopes = []): string[] {
  return scopes.map((scope) => (typeof scope === 'string' ? scope : scope.name));
}
