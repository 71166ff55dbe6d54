import type { Provider } from '../../catalogue/catalogue.ts';
import { allows, type ConnectSession } from '../../connections/connect-sessions/session.ts';
import type { Connection } from '../../connections/connection.ts';
import { connectionById } from '../../connections/connection-store.ts';
import { requireSandboxAllowed } from '../../connections/integrations/demo-provider.ts';
import type { Integration } from '../../connections/integrations/integration.ts';
import { providerOf, requireIntegration } from '../../connections/integrations/integrations.ts';
import { ServiceError } from '../../errors.ts';
import type { LifecycleDeps } from '../deps.ts';

/** The target of an authorization: what a session is about to connect. */
export interface AuthorizationTarget {
  readonly session: ConnectSession;
  readonly integration: Integration;
  readonly provider: Provider;
  /** The existing connection to reauthorize; undefined if a new one is to be created. */
  readonly known: Connection | undefined;
}

/**
 * Loads what a session is about to connect.
 *
 * @throws ServiceError `integration_not_allowed`, `unknown_provider_config`; `unknown_connection` if the connection to
 *   reauthorize was deleted; `not_found` if the provider is gone; `forbidden` for a sandbox in production
 */
export async function findTarget(deps: LifecycleDeps, session: ConnectSession, uniqueKey: string): Promise<AuthorizationTarget> {
  if (!allows(session, uniqueKey))
    throw new ServiceError('integration_not_allowed', `this connect session does not allow "${uniqueKey}"`);
  const integration = await requireIntegration(deps, session.environmentId, uniqueKey);
  const provider = providerOf(deps.catalogue, integration);
  await requireSandboxAllowed(deps.db, session.environmentId, provider);
  if (session.reconnectId === null) return { session, integration, provider, known: undefined };
  const known = await connectionById(deps, session.environmentId, session.reconnectId);
  // The session names its integration by key. If that integration was renamed, another one may have the key now.
  if (known === undefined || known.integrationId !== integration.id)
    throw new ServiceError('unknown_connection', 'the connection of this reconnect session has been deleted');
  return { session, integration, provider, known };
}
