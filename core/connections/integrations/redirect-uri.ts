import type { Provider } from '../../catalogue/catalogue.ts';
import type { Environment } from '../../tenants/environments/environment-store.ts';
import { usesSharedApp } from './effective-client.ts';
import type { Integration } from './integration.ts';

interface CallbackOwner {
  readonly baseUrl: string;
  readonly environment: Pick<Environment, 'callbackUrl'> | undefined;
}

/**
 * Returns whether authorization responses arrive at a callback URL that only this integration has (RFC 9700 §4.4.2.2). A shared
 * app has one callback URL for all integrations.
 */
export function hasOwnCallback(
  integration: Pick<Integration, 'client' | 'integrationConfig'>,
  provider: Pick<Provider, 'sharedApp'>,
): boolean {
  return integration.integrationConfig['own_callback'] === 'true' && !usesSharedApp(integration, provider);
}

/**
 * Returns the redirect URI of an integration's flows, which has to be registered at the provider: the environment's callback URL,
 * which redirects to the service's, or else the service's; with the integration's key at its end if the integration has its own
 * callback. It never comes from a `Host` header.
 */
export function redirectUri(integration: Integration, provider: Pick<Provider, 'sharedApp'>, place: CallbackOwner): string {
  if (usesSharedApp(integration, provider)) return environmentCallback({ ...place, environment: undefined });
  const shared = environmentCallback(place);
  return hasOwnCallback(integration, provider) ? withSegment(shared, integration.uniqueKey) : shared;
}

/** Returns the callback URL of all integrations of an environment that do not have their own. */
export function environmentCallback({ baseUrl, environment }: CallbackOwner): string {
  return environment?.callbackUrl ?? `${baseUrl}/oauth/callback`;
}

function withSegment(address: string, segment: string): string {
  const url = new URL(address);
  url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}/${encodeURIComponent(segment)}`;
  return url.href;
}
