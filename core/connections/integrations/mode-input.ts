import { type AuthRules, type JsonObject, withDefaults } from '#contract';
import type { ClientSettings, ModeInput } from '../../auth-modes/auth-mode.ts';
import type { Provider } from '../../catalogue/catalogue.ts';
import { demoCaller } from './demo-provider.ts';
import { clientOfConnection, effectiveClient, usesSharedApp } from './effective-client.ts';
import type { Integration } from './integration.ts';

type InputProvider = Pick<Provider, 'slug' | 'definition' | 'sharedApp'>;

interface InputFacts {
  readonly connectionConfig: JsonObject;
  readonly rules: AuthRules | undefined;
  /** Of an existing connection, which is bound to the client that it was authorized by. */
  readonly clientFingerprint?: string | null;
}

/** What an auth mode may look at when it talks to the provider about one connection of an integration. */
export function modeInput(
  integration: Integration,
  provider: InputProvider,
  { clientFingerprint, ...facts }: InputFacts,
): ModeInput {
  const current = effectiveClient(integration, provider);
  const client = clientFingerprint === undefined ? current : clientOfConnection(integration, provider, clientFingerprint);
  return {
    provider: provider.slug,
    definition: provider.definition,
    client: usesSharedApp(integration, provider) ? client : ownClient(client, integration, facts.connectionConfig),
    inside: demoCaller(integration, provider),
    integrationConfig: withDefaults(provider.definition.integration_config, integration.integrationConfig),
    ...facts,
  };
}

/** The certificate is public, so it is a setting, not a part of the app's secrets. */
function ownClient(client: ClientSettings, { integrationConfig }: Integration, connectionConfig: JsonObject): ClientSettings {
  const { client_certificate: certificate } = integrationConfig;
  const scoped = withOwnScopes(client, connectionConfig);
  return typeof certificate === 'string' && certificate !== '' ? { ...scoped, certificate } : scoped;
}

/** A connection may have scopes of its own. Those of a shared app are fixed for everybody. */
function withOwnScopes(client: ClientSettings, { oauth_scopes_override: override }: JsonObject): ClientSettings {
  const scopes = readScopes(override);
  return scopes.length === 0 ? client : { ...client, scopes };
}

/** A comma-separated string if set by a session, a list if imported. */
function readScopes(override: unknown): readonly string[] {
  const listed: unknown = typeof override === 'string' ? override.split(',') : override;
  if (!Array.isArray(listed)) return [];
  return listed.flatMap((scope) => (typeof scope === 'string' && scope.trim() !== '' ? [scope.trim()] : []));
}
