import { type ProviderDefinition, scopeNames } from '#contract';
import type { ModeInput } from '../auth-mode.ts';

/** Returns the integration's scopes or, if it has none, the definition's default scopes. */
export function requestedScopes(client: ModeInput['client'], definition: ProviderDefinition): readonly string[] {
  return client.scopes.length > 0 ? client.scopes : scopeNames(definition.default_scopes);
}

/** Joins the scopes into one text; undefined if there are none, so that the parameter is left out. */
export function joinScopes(scopes: readonly string[], { scope_separator = ' ' }: ProviderDefinition): string | undefined {
  return scopes.length === 0 ? undefined : scopes.join(scope_separator);
}

/** Returns the `scope` parameter of a request; empty if there are no scopes. */
export function scopeParam(client: ModeInput['client'], definition: ProviderDefinition): { readonly scope?: string } {
  const scope = joinScopes(requestedScopes(client, definition), definition);
  return scope === undefined ? {} : { scope };
}
