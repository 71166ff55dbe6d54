import type { ClientSettings } from '../auth-modes/auth-mode.ts';
import type { Provider } from '../catalogue/catalogue.ts';
import type { Integration } from './integration.ts';

type Owner = Pick<Integration, 'client'>;

/** Whether an integration connects through the operator's shared app: it has not even a part of an app of its own. */
export function usesSharedApp({ client }: Owner, { sharedApp }: Pick<Provider, 'sharedApp'>): boolean {
  return sharedApp !== undefined && client.clientId === undefined && client.clientSecret === undefined;
}

/** The app that an integration's connections are made and renewed with. The only place that decides it. */
export function effectiveClient(integration: Owner, provider: Pick<Provider, 'sharedApp'>): ClientSettings {
  const { sharedApp } = provider;
  if (sharedApp !== undefined && usesSharedApp(integration, provider)) return sharedApp;
  const { clientId = '', clientSecret = '', scopes, appId, privateKey } = integration.client;
  const app = { ...(appId !== undefined && { appId }), ...(privateKey !== undefined && { privateKey }) };
  return { clientId, clientSecret, scopes, ...app };
}
