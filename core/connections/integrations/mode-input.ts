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
  /** The fingerprint of the client that authorized an existing connection; null if none did. Absent for a new connection. */
  readonly clientFingerprint?: string | null;
}

/** Returns what an auth mode may read when it talks to the provider about one connection of an integration. */
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

/**
 * Adds the connection's scopes and the integration's client certificate, if there are any. The certificate is public, so it is a
 * setting and not part of the app's secrets.
 */
function ownClient(client: ClientSettings, { integrationConfig }: Integration, connectionConfig: JsonObject): ClientSettings {
  const { client_certificate: certificate } = integrationConfig;
  const scoped = withOwnScopes(client, connectionConfig);
  return typeof certificate === 'string' && certificate !== '' ? { ...scoped, certificate } : scoped;
}

/**
 * Replaces the scopes with those that a connection's configuration sets, if it sets any. Does not apply to shared apps, whose
 * scopes are fixed.
 */
function withOwnScopes(client: ClientSettings, { oauth_scopes_override: override }: JsonObject): ClientSettings {
  const scopes = readScopes(override);
  return scopes.length === 0 ? client : { ...client, scopes };
}

/** Reads scopes from a comma-separated string (set by a session) or a list (imported). */
function readScopes(override: unknown): readonly string[] {
  const listed: unknown = typeof override === 'string' ? override.split(',') : override;
  if (!Array.isArray(listed)) return [];
  return listed.flatMap((scope) => (typeof scope === 'string' && scope.trim() !== '' ? [scope.trim()] : []));
}
