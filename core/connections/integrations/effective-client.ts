import { createHash } from 'node:crypto';
import type { ClientSettings } from '../../auth-modes/auth-mode.ts';
import type { Provider } from '../../catalogue/catalogue.ts';
import type { ClientApp, FormerClient, Integration } from './integration.ts';

type OwnApp = Pick<Integration, 'client'>;
type Sharer = Pick<Provider, 'sharedApp'>;

/** Returns whether an integration connects through the operator's shared app: it has not even a part of an app of its own. */
export function usesSharedApp({ client }: OwnApp, { sharedApp }: Sharer): boolean {
  return sharedApp !== undefined && client.clientId === undefined && client.clientSecret === undefined;
}

/** Returns the app that an integration's new connections are authorized with. This is the only place that decides it. */
export function effectiveClient(integration: OwnApp, provider: Sharer): ClientSettings {
  const { sharedApp } = provider;
  if (sharedApp !== undefined && usesSharedApp(integration, provider)) return sharedApp;
  return settingsOf(integration.client, integration.client.scopes);
}

/**
 * Returns the app that one connection was authorized with, which is the only one that can refresh it or revoke its tokens (RFC 6749
 * §6).
 *
 * @param fingerprint null: it was authorized without an app
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
 * Returns whether the integration has the app that authorized a connection. An integration without an app of its own may use the
 * operator's shared app.
 */
export function hasClientOf({ client }: OwnApp, fingerprint: string | null): boolean {
  if (fingerprint === null || (client.clientId === undefined && client.clientSecret === undefined)) return true;
  const { formerClients = [] } = client;
  return fingerprint === fingerprintOf(settingsOf(client, [])) || formerClients.some((one) => isClientOf(one, fingerprint));
}

/** Returns whether connections with this fingerprint belong to the former client. */
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
