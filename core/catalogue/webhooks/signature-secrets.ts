import type { IncomingWebhook, IntegrationSecrets, JsonObject, SecretSource } from '#contract';

/** What of a connection a webhook's secret may be read from. Decrypted, the secret fields of its configuration included. */
export interface ConnectionSecrets {
  readonly connectionConfig: JsonObject;
  readonly metadata: JsonObject;
}

/** A delivery whose signature is to be verified, and where the secrets for it are. */
export interface SignedDelivery<C extends ConnectionSecrets> {
  readonly webhook: IncomingWebhook;
  /** As it is now; then, for a day after a change, as it was with the webhook secret before. */
  readonly integration: readonly [now: IntegrationSecrets, ...before: IntegrationSecrets[]];
  /** The connections that the delivery's events name. Asked only when a rule's secrets are kept on connections. */
  readonly connections: () => Promise<readonly C[]>;
  /** What handshakes have brought to the address; none for one that was registered for no connection. */
  readonly handshakeSecrets: () => Promise<readonly string[]>;
}

/** A secret that may have signed, and the connection it is kept on, if it is. Never empty. */
export interface SecretCandidate<C> {
  readonly secret: string;
  readonly connection?: C;
}

/**
 * Runs a function of the plugin.
 *
 * @param hidden what its error must not quote, beside the secrets of the integration; by names that promise a secret
 * @throws ServiceError `webhook_invalid_payload` when it throws
 */
export type AskPlugin = <T>(run: () => T, hidden?: JsonObject) => T;

/** An empty secret is none: anybody could sign with it. */
export async function findSecrets<C extends ConnectionSecrets>(
  ask: AskPlugin,
  source: SecretSource,
  delivery: SignedDelivery<C>,
): Promise<SecretCandidate<C>[]> {
  if (source.in === 'handshake') return (await delivery.handshakeSecrets()).map((secret) => ({ secret }));
  if (source.in !== 'connection') {
    const read = source.in === 'integration' ? source.read : (integration: IntegrationSecrets) => integration[source.in];
    const secrets = delivery.integration.map((integration) => ask(() => read(integration)));
    return [...new Set(secrets)].flatMap((secret) => (isSecret(secret) ? [{ secret }] : []));
  }
  const connections = await delivery.connections();
  return connections.flatMap((connection) => {
    const { connectionConfig, metadata } = connection;
    const secret = ask(() => source.read({ connectionConfig, metadata }), { connectionConfig, metadata });
    return isSecret(secret) ? [{ secret, connection }] : [];
  });
}

function isSecret(secret: unknown): secret is string {
  return typeof secret === 'string' && secret !== '';
}
