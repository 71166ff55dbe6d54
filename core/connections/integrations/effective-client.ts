import { createHash } from 'node:crypto';
import type { ClientSettings } from '../../auth-modes/auth-mode.ts';
import type { Provider } from '../../catalogue/catalogue.ts';
import type { ClientApp, FormerClient, Integration } from './integration.ts';

type OwnApp = Pick<Integration, 'client'>;
type Sharer = Pick<Provider, 'sharedApp'>;

/**
 * Returns whether an integration connects through the operator's shared app: there is one, and the integration itself has neither
 * a client ID nor a client secret.
 */
export function usesSharedApp({ client }: OwnApp, { sharedApp }: Sharer): boolean {
  return sharedApp !== undefined && client.clientId === undefined && client.clientSecret === undefined;
}

/** Returns the app with which an integration's new connections are authorized. No other code decides this. */
export function effectiveClient(integration: OwnApp, provider: Sharer): ClientSettings {
  const { sharedApp } = provider;
  if (sharedApp !== undefined && usesSharedApp(integration, provider)) return sharedApp;
  return settingsOf(integration.client, integration.client.scopes);
}

/**
 * Returns the app with which one connection was authorized. Only that app can refresh the connection or revoke its tokens (RFC
 * 6749 §6).
 *
 * @param fingerprint null if it was authorized without an app
 */
export function clientOfConnection(integration: OwnApp, provider: Sharer, fingerprint: string | null): ClientSettings {
  const current = effectiveClient(integration, provider);
  if (fingerprint === null || fingerprint === fingerprintOf(current)) return current;
  const { sharedApp } = provider;
  if (sharedApp !== undefined && fingerprint === fingerprintOf(sharedApp)) return sharedApp;
  const former = integration.client.formerClients?.find((one) => isClientOf(one, fingerprint));
  return former === undefined ? current : settingsOf(former, current.scopes);
}

/**
 * Returns whether the integration still has the app that authorized a connection. Always true for an integration without an app
 * of its own: it may use the shared app, which is not looked up here.
 */
export function hasClientOf({ client }: OwnApp, fingerprint: string | null): boolean {
  if (fingerprint === null || (client.clientId === undefined && client.clientSecret === undefined)) return true;
  const { formerClients = [] } = client;
  return fingerprint === fingerprintOf(settingsOf(client, [])) || formerClients.some((one) => isClientOf(one, fingerprint));
}

/** Returns whether connections with this fingerprint were authorized by the former client. */
export function isClientOf(former: FormerClient, fingerprint: string | null): boolean {
  return fingerprint === fingerprintOf(settingsOf(former, []));
}

/** Returns an identifier that distinguishes apps; the secret is not part of it. Null when there is no app. */
export function fingerprintOf({ clientId, appId = '' }: Pick<ClientSettings, 'clientId' | 'appId'>): string | null {
  if (clientId === '' && appId === '') return null;
  return createHash('sha256')
    .update(JSON.stringify([clientId, appId]))
    .digest('base64url')
    .slice(0, 22);
}

function settingsOf(
  { clientId = '', clientSecret = '', previousClientSecret, appId, privateKey, appLink }: Omit<ClientApp, 'scopes'>,
  scopes: readonly string[],
): ClientSettings {
  return {
    clientId,
    clientSecret,
    scopes,
    ...(previousClientSecret !== undefined && { previousSecret: previousClientSecret }),
    ...(appId !== undefined && { appId }),
    ...(privateKey !== undefined && { privateKey }),
    ...(appLink !== undefined && { appLink }),
  };
}
