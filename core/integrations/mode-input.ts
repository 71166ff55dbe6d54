import { type AuthRules, type JsonObject, withDefaults } from '#contract';
import type { ClientSettings, ModeInput } from '../auth-modes/auth-mode.ts';
import type { Provider } from '../catalogue/catalogue.ts';
import { effectiveClient, usesSharedApp } from './effective-client.ts';
import type { Integration } from './integration.ts';

/** What an auth mode may look at when it talks to the provider about one connection of an integration. */
export function modeInput(
  integration: Integration,
  provider: Provider,
  facts: { readonly connectionConfig: JsonObject; readonly rules: AuthRules | undefined },
): ModeInput {
  return {
    provider: provider.slug,
    definition: provider.definition,
    client: connectionClient(integration, provider, facts.connectionConfig),
    integrationConfig: withDefaults(provider.definition.integration_config, integration.integrationConfig),
    ...facts,
  };
}

/** A connection may have scopes of its own. Those of a shared app are fixed for everybody. */
function connectionClient(
  integration: Integration,
  provider: Provider,
  { oauth_scopes_override: override }: JsonObject,
): ClientSettings {
  const client = effectiveClient(integration, provider);
  const scopes = usesSharedApp(integration, provider) ? [] : readScopes(override);
  return scopes.length === 0 ? client : { ...client, scopes };
}

/** A comma-separated string if set by a session, a list if imported. */
function readScopes(override: unknown): readonly string[] {
  const listed: unknown = typeof override === 'string' ? override.split(',') : override;
  if (!Array.isArray(listed)) return [];
  return listed.flatMap((scope) => (typeof scope === 'string' && scope.trim() !== '' ? [scope.trim()] : []));
}
