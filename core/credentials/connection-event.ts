import type { StoredAccount } from '../connections/connection.ts';
import { shownAccount } from '../connections/provider-account.ts';
import type { AuthEvent } from '../webhook-delivery/auth-message.ts';

type EventKind = Pick<AuthEvent, 'operation' | 'success' | 'error' | 'warning'>;

/** The fields of an event that describe its connection. */
type ConnectionEventPayload = Omit<AuthEvent, keyof EventKind | 'authMode' | 'providerAccount'> & {
  readonly connectionId: string;
  readonly credentials: { readonly type: string };
  readonly providerAccount: StoredAccount | null;
};

/** Builds the event that is sent as an auth webhook about a connection. Of the credentials it contains only the auth mode. */
export function connectionEvent(connection: ConnectionEventPayload, kind: EventKind): AuthEvent {
  const { environmentId, connectionId, providerConfigKey, provider, tags, endUser, webhookUrlOverride } = connection;
  return {
    environmentId,
    connectionId,
    providerConfigKey,
    provider,
    authMode: connection.credentials.type,
    providerAccount: shownAccount(connection.providerAccount),
    tags,
    endUser,
    webhookUrlOverride,
    ...kind,
  };
}
