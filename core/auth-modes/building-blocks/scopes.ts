import { type ProviderDefinition, scopeNames } from '#contract';
import type { ModeInput } from '../auth-mode.ts';

/** The scopes of the integration, else those that the definition requests by default. */
export function requestedScopes(client: ModeInput['client'], definition: ProviderDefinition): readonly string[] {
  return client.scopes.length > 0 ? client.scopes : scopeNames(definition.default_scopes);
}

/** As one text; undefined: there are none, and the parameter is left out. */
export function joinScopes(scopes: readonly string[], { scope_separator = ' ' }: ProviderDefinition): string | undefined {
  return scopes.length === 0 ? undefined : scopes.join(scope_separator);
}

/** The parameter of a request; empty where there are no scopes. */
export function scopeParam(client: ModeInput['client'], definition: ProviderDefinition): { readonly scope?: string } {
  const scope = joinScopes(requestedScopes(client, definition), definition);
  return scope === undefined ? {} : { scope };
}
