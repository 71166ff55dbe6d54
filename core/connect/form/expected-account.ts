import type { ConnectSession } from '../../connections/connect-sessions/session.ts';
import { connectionById } from '../../connections/connection-store.ts';
import type { StoreDeps } from '../../db/store-deps.ts';

interface Reconnect {
  readonly integration: string;
  /** The expected account; null if it is unknown, or if any account is accepted. */
  readonly account: { readonly name?: string; readonly email?: string } | null;
}

/**
 * Returns the integration and the account with which a user has to reauthorize the connection; null for a session that creates a
 * new connection.
 */
export async function expectedAccount(deps: StoreDeps, session: ConnectSession): Promise<Reconnect | null> {
  const { environmentId, reconnectId, allowedIntegrations, allowAccountChange } = session;
  const integration = allowedIntegrations?.[0];
  if (reconnectId === null || integration === undefined) return null;
  const known = allowAccountChange ? undefined : await connectionById(deps, environmentId, reconnectId);
  const { name, email } = known?.providerAccount ?? {};
  const account = { ...(name !== undefined && { name }), ...(email !== undefined && { email }) };
  return { integration, account: Object.keys(account).length > 0 ? account : null };
}
