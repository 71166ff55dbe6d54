import type { AuthEvent } from '../webhook-delivery/auth-message.ts';

type Happening = Pick<AuthEvent, 'operation' | 'success' | 'error' | 'warning'>;

/** A connection, as far as the application is told of it. */
export type ToldConnection = Omit<AuthEvent, keyof Happening | 'authMode'> & {
  readonly connectionId: string;
  readonly credentials: { readonly type: string };
};

/** What happened to a connection, in the form of an auth webhook. Of its credentials only the mode is in it. */
export function connectionEvent(connection: ToldConnection, happening: Happening): AuthEvent {
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
    ...happening,
  };
}
