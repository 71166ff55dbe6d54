import type { Provider } from '../../catalogue/catalogue.ts';
import type { Environment } from '../../tenants/environments/environment-store.ts';
import { usesSharedApp } from './effective-client.ts';
import type { Integration } from './integration.ts';

interface CallbackOwner {
  readonly baseUrl: string;
  readonly environment: Pick<Environment, 'callbackUrl'> | undefined;
}

/** Returns whether responses come back to an address of the integration's own (RFC 9700 §4.4.2.2). Shared apps have one for all. */
export function hasOwnCallback(
  integration: Pick<Integration, 'client' | 'integrationConfig'>,
  provider: Pick<Provider, 'sharedApp'>,
): boolean {
  return integration.integrationConfig['own_callback'] === 'true' && !usesSharedApp(integration, provider);
}

/**
 * Returns the redirect URI of an integration's flows, which has to be registered at the provider: the environment's own callback
 * URL (which redirects to the service's) or the service's, never from a `Host` header.
 */
export function redirectUri(integration: Integration, provider: Pick<Provider, 'sharedApp'>, place: CallbackOwner): string {
  if (usesSharedApp(integration, provider)) return environmentCallback({ ...place, environment: undefined });
  const shared = environmentCallback(place);
  return hasOwnCallback(integration, provider) ? withSegment(shared, integration.uniqueKey) : shared;
}

/**
 * Returns the address that the flows of all integrations of an environment come back to, unless they have a callback of their own.
 */
export function environmentCallback({ baseUrl, environment }: CallbackOwner): string {
  return environment?.callbackUrl ?? `${baseUrl}/oauth/callback`;
}

function withSegment(address: string, segment: string): string {
  const url = new URL(address);
  url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}/${encodeURIComponent(segment)}`;
  return url.href;
}
