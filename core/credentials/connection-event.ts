import type { StoredAccount } from '../connections/connection.ts';
import { shownAccount } from '../connections/provider-account.ts';
import type { AuthEvent } from '../webhook-delivery/auth-message.ts';

type EventKind = Pick<AuthEvent, 'operation' | 'success' | 'error' | 'warning'>;

/** The fields of an event that describe its connection. */
export type ConnectionEventPayload = Omit<AuthEvent, keyof EventKind | 'authMode' | 'providerAccount'> & {
  readonly connectionId: string;
  readonly credentials: { readonly type: string };
  readonly providerAccount: StoredAccount | null;
};

/** What happened to a connection, in the form of an auth webhook. Of its credentials only the mode is in it. */
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
