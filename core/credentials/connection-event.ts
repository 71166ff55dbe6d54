import type { AuthEvent } from '../webhook-delivery/auth-message.ts';

type EventKind = Pick<AuthEvent, 'operation' | 'success' | 'error' | 'warning'>;

/** The fields of an event that describe its connection. */
export type ConnectionEventPayload = Omit<AuthEvent, keyof EventKind | 'authMode'> & {
  readonly connectionId: string;
  readonly credentials: { readonly type: string };
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
    tags,
    endUser,
    webhookUrlOverride,
    ...kind,
  };
}
